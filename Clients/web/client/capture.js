import { Contacts } from "./contacts.js";
import { wheelDistance, WheelOwner } from "./wheel.js";

/**
 * Sends what happens on an element to a session: mouse, pen and touch as contacts, wheels as
 * wheels. Meanwhile the element's `touch-action` and `user-select` are "none".
 *
 * @param {HTMLElement} element
 * @param {Client} client
 * @param {string} session the session's name
 * @param {(event: MouseEvent) => [number, number]} [toPoint] the place of an event in points of the
 *   viewport; by default the element's layout box is the viewport, however it is scaled
 * @param {{ user?: string }} [options] `user` is the name of the person who touches it
 * @returns {() => void} ends it, and cancels the contacts that are down
 */
export function capture(
  element, client, session, toPoint = (event) => pointOnElement(element, event), { user } = {},
) {
  const publish = (body) => client.publish(`gesture/${session}`, body);
  const controller = new AbortController();
  const { signal } = controller;
  const contacts = new Contacts(element, publish, toPoint, user);
  listenToPointers(element, contacts, signal);
  listenToWheel(element, new WheelOwner(client, session, toPoint), publish, toPoint, signal);
  const release = blockBrowserGestures(element);
  return () => {
    controller.abort();
    contacts.cancelAll();
    release();
  };
}

function pointOnElement(element, { clientX, clientY }) {
  const { x, y, width } = element.getBoundingClientRect();
  const zoom = width / element.offsetWidth;
  return [(clientX - x) / zoom, (clientY - y) / zoom];
}

// The elements that are captured: how often each is, and its own styles.
const taken = new WeakMap();

/**
 * Keeps the browser from scrolling, zooming and selecting by itself on an element.
 *
 * @returns {() => void} ends it; the element has its own styles again when the last one has ended
 */
function blockBrowserGestures(element) {
  const { touchAction, userSelect } = element.style;
  const entry = taken.get(element) ?? { count: 0, touchAction, userSelect };
  taken.set(element, entry);
  entry.count += 1;
  Object.assign(element.style, { touchAction: "none", userSelect: "none" });
  return () => {
    entry.count -= 1;
    if (entry.count > 0) return;
    taken.delete(element);
    element.style.touchAction = entry.touchAction;
    element.style.userSelect = entry.userSelect;
  };
}

function listenToPointers(element, contacts, signal) {
  element.addEventListener("pointerdown", (event) => {
    const isMainButton = event.button === 0;
    if (isMainButton) contacts.begin(event);
  }, { signal });

  const endWith = (phase) => (event) => {
    if (contacts.has(event)) contacts.end(event, phase);
  };
  // While another button of the mouse is down, the left one comes and goes by `pointermove`.
  const moved = (event) => {
    const isLeftButton = event.isTrusted && event.pointerType === "mouse" && event.button === 0;
    const isDown = (event.buttons & 1) !== 0;
    if (isLeftButton && !isDown && contacts.has(event)) contacts.end(event, "ended");
    else if (isLeftButton && isDown && element.contains(event.target)) contacts.begin(event);
    else contacts.move(event, false);
  };
  // Until a contact is captured, its events may go to what lies beside the element.
  const onWindow = {
    // Sent at once, where `pointermove` waits for the next picture.
    pointerrawupdate: (event) => contacts.move(event, true),
    pointermove: (event) => moved(event),
    pointerup: endWith("ended"),
    pointercancel: endWith("cancelled"),
  };
  for (const [type, listener] of Object.entries(onWindow)) {
    window.addEventListener(type, listener, { signal });
  }
  const cancel = endWith("cancelled");
  element.addEventListener("lostpointercapture", (event) => {
    // It bubbles: what lies on the element may have lost a pointer of its own.
    if (event.target === element) cancel(event);
  }, { signal });

  // A link or a picture that the browser drags away would cancel the contact.
  element.addEventListener("dragstart", (event) => event.preventDefault(), { signal });
}

function listenToWheel(element, owner, publish, toPoint, signal) {
  element.addEventListener("wheel", (event) => {
    // With Ctrl the browser zooms.
    if (event.ctrlKey || !owner.decide(event)) return;
    event.preventDefault();
    const [x, y] = toPoint(event);
    const t = performance.timeOrigin + event.timeStamp;
    publish({ gesture: "wheel", ...wheelDistance(event, element), x, y, t });
  }, { signal, passive: false });
}
