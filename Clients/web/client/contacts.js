// Milliseconds after which a contact that rests is sent again: the daemon cancels one that is
// silent for 3 s.
const REPEAT_INTERVAL = 900;
// After so many CSS pixels, a contact drags and no longer clicks.
const DRAG_SLOP = 10;

/** The contacts (fingers, pens and the mouse's left button) that are down on an element. */
export class Contacts {
  #element;
  #publish;
  #toPoint;
  #user;
  #contacts = new Map();
  // Pages that touch one session at the same time need contacts of different numbers. The numbers
  // of one page agree above their lowest 20 bits: so its contacts have one color.
  #firstNumber = Math.floor(Math.random() * 2 ** 31) * 2 ** 20;

  /**
   * `publish` publishes a sample; `toPoint` gives an event's point of the viewport; `user` is the
   * name of the person, if it is known.
   */
  constructor(element, publish, toPoint, user) {
    this.#element = element;
    this.#publish = publish;
    this.#toPoint = toPoint;
    this.#user = user;
  }

  has({ pointerId }) {
    return this.#contacts.has(pointerId);
  }

  begin(event) {
    // The daemon takes a second `began` of a number as the end of the first contact.
    clearInterval(this.#contacts.get(event.pointerId)?.timer);
    const contact = {
      number: this.#firstNumber + event.pointerId,
      start: { x: event.clientX, y: event.clientY },
      isCaptured: false,
      hasRawUpdates: false,
      lastSample: null,
      timer: undefined,
    };
    this.#contacts.set(event.pointerId, contact);
    this.#send(contact, "began", [event]);
  }

  move(event, isRawUpdate) {
    const contact = this.#contacts.get(event.pointerId);
    if (!contact) return;
    // A browser that has raw updates reports each move a second time, as `pointermove`. Events that
    // a script sends come once.
    const isRepeat = contact.hasRawUpdates && !isRawUpdate && event.isTrusted;
    if (isRepeat) return;
    contact.hasRawUpdates ||= isRawUpdate;
    if (!contact.isCaptured) this.#captureIfDragged(contact, event);
    // The last coalesced event is the event itself. Insecure pages have none of them.
    const coalesced = event.getCoalescedEvents?.().slice(0, -1) ?? [];
    this.#send(contact, "changed", [...coalesced, event]);
  }

  end(event, phase) {
    const contact = this.#contacts.get(event.pointerId);
    this.#send(contact, phase, [event]);
    clearInterval(contact.timer);
    this.#contacts.delete(event.pointerId);
  }

  cancelAll() {
    for (const contact of this.#contacts.values()) {
      clearInterval(contact.timer);
      this.#repeat(contact, "cancelled");
    }
    this.#contacts.clear();
  }

  /**
   * A contact is captured when it drags. Captured at once, it would also get the clicks meant for
   * buttons and links on the element.
   */
  #captureIfDragged(contact, { pointerId, clientX, clientY }) {
    const distance = Math.hypot(clientX - contact.start.x, clientY - contact.start.y);
    if (distance < DRAG_SLOP) return;
    contact.isCaptured = true;
    try {
      this.#element.setPointerCapture(pointerId);
    } catch {
      // The finger is gone already, or was a script's. Its events come all the same.
    }
  }

  #send(contact, phase, events) {
    for (const event of events) {
      const [x, y] = this.#toPoint(event);
      const t = performance.timeOrigin + event.timeStamp;
      contact.lastSample = {
        gesture: "pointer", phase, pointer: contact.number, x, y, t, ...this.#details(event),
      };
      this.#publish(contact.lastSample);
    }
    clearInterval(contact.timer);
    contact.timer = setInterval(() => this.#repeat(contact, "changed"), REPEAT_INTERVAL);
  }

  /** What else is known of a contact: a finger is what the daemon takes it for anyway. */
  #details({ pointerType, pressure }) {
    const details = this.#user === undefined ? {} : { user: this.#user };
    if (pointerType === "mouse" || pointerType === "pen") details.kind = pointerType;
    // A browser makes up the pressure of what has no sensor.
    if (pointerType === "pen") details.pressure = Math.min(Math.max(pressure, 0), 1);
    return details;
  }

  /** Sends the last sample again, with its time: nothing has moved since. */
  #repeat(contact, phase) {
    this.#publish({ ...contact.lastSample, phase });
  }
}
