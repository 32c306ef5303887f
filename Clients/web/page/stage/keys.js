// A stage by keyboard: what content names is focused, touched, flicked and scrolled.

import { hit } from "../../gestured.js";

// The keyboard's contact, beside those of hands.
const POINTER = 90;
// Points and milliseconds of a flick: further than tips' threshold, faster than a throw's.
const FLICK = { reach: 170, time: 130 };
const PULL = { reach: 260, time: 320 };
// Milliseconds that a tap lasts, and between two samples of a drag, as a mouse reports them.
const TAP = 60, SAMPLE = 12;
// Points of a turn of the wheel.
const TURN = 60;
const DIRECTIONS = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

/** Lets a stage be used by keyboard and by screen readers, which click without a pointer. */
export function walk(stage) {
  stage.screen.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !stage.session) return;
    const target = event.target.closest("[tabindex]");
    if (!target || target === stage.screen) return;
    const isTap = event.key === "Enter" || event.key === " ";
    const panel = panelOf(stage, target);
    if (panel && isTap) stage.command(panel.id, { command: "toggle" });
    else if (panel && DIRECTIONS[event.key]) move(stage, panel, DIRECTIONS[event.key]);
    else if (isTap) tap(stage, target);
    else if (DIRECTIONS[event.key]) push(stage, target, DIRECTIONS[event.key]);
    else return;
    event.preventDefault();
  });
  stage.screen.addEventListener("click", (event) => {
    const target = event.target.closest("[tabindex]");
    if (event.detail === 0 && target && target !== stage.screen) tap(stage, target);
  });
}

/** The panel whose box has the focus; null: another element has it. */
function panelOf(stage, element) {
  const component = stage.component(element.closest("[data-component]").dataset.component);
  const isBox = element.closest("[data-view]")?.dataset.view === "panel";
  return component?.kind === "panel" && isBox ? component : null;
}

/** Sends a panel to its next anchor in that direction, as a finger would. */
function move(stage, { id, parameters }, [dx, dy]) {
  const way = parameters.axis === "vertical" ? dy : dx;
  const { model } = stage.session.states.get(id);
  const places = parameters.anchors.map(({ at }) => (typeof at === "number" ? at
    : parseFloat(at) / 100 * stage.scene.viewport[parameters.axis === "vertical" ? 1 : 0]));
  const isRising = (places[1] ?? 0) > places[0];
  const at = parameters.anchors.findIndex(({ name }) => name === model.at);
  const to = parameters.anchors[at + (isRising ? way : -way)];
  if (way && at >= 0 && to) stage.command(id, { command: "go", to: to.name });
}

// The parts of an element's box where it is looked for, its middle first.
const PARTS = [0.5, 0.25, 0.75, 0.1, 0.9];

/** A point where a finger would touch an element, of which others may cover the middle; or null. */
function openPoint(stage, element) {
  const { component } = element.closest("[data-component]").dataset;
  const view = element.closest("[data-view]")?.dataset.view;
  const box = element.getBoundingClientRect();
  const screen = stage.screen.getBoundingClientRect();
  const [left, right] = [Math.max(box.left, screen.left), Math.min(box.right, screen.right)];
  const [top, bottom] = [Math.max(box.top, screen.top), Math.min(box.bottom, screen.bottom)];
  if (left >= right || top >= bottom) return null;
  for (const part of PARTS) {
    for (const other of PARTS) {
      const point = stage.toPoint(left + (right - left) * other, top + (bottom - top) * part);
      const found = hit(stage.scene, stage.session.states, ...point);
      if (found?.component === component && (!view || found.view === view)) return point;
    }
  }
  return null;
}

/** A tap on an element; on what leads back, a pan from the left edge. */
function tap(stage, element) {
  const point = openPoint(stage, element);
  if (element.dataset.back !== undefined) {
    // A navigation sees a contact at its edge, also one on what stands on its screen.
    const box = element.getBoundingClientRect();
    const [, y] = point ?? stage.toPoint(box.left, box.top + box.height / 2);
    drag(stage, [3, y], [stage.scene.viewport[0] * 0.8, y], FLICK.time * 2);
    return;
  }
  if (!point) return;
  const [x, y] = point;
  const send = (phase) => stage.gesture(
    { gesture: "pointer", phase, pointer: POINTER, x, y, t: Date.now() });
  send("began");
  setTimeout(() => send("ended"), TAP);
}

function push(stage, element, [dx, dy]) {
  const { kind } = stage.component(element.closest("[data-component]").dataset.component);
  const point = openPoint(stage, element);
  if (!point) return;
  const [x, y] = point;
  if (dy && (kind === "list" || kind === "profile")) {
    stage.gesture({ gesture: "wheel", dx: 0, dy: dy * TURN, x, y });
    return;
  }
  const { reach, time } = kind === "reader" ? PULL : FLICK;
  // A finger that pulls the page up reads on, as the key that points down.
  const sign = kind === "reader" ? -1 : 1;
  drag(stage, [x, y], [x + dx * reach, y + sign * dy * reach], time);
}

/**
 * A finger's way, sampled as hands are. Each sample tells its own time, and a browser that is late
 * sends what it missed: so the finger is as fast on a busy machine.
 */
function drag(stage, from, to, time) {
  const [start, epoch] = [performance.now(), Date.now()];
  let sent = 0;
  const send = (phase, elapsed) => {
    const part = elapsed / time;
    stage.gesture({
      gesture: "pointer", phase, pointer: POINTER, t: Math.round(epoch + elapsed),
      x: from[0] + (to[0] - from[0]) * part, y: from[1] + (to[1] - from[1]) * part,
    });
  };
  send("began", 0);
  const timer = setInterval(() => {
    const elapsed = Math.min(time, performance.now() - start);
    for (; sent + SAMPLE <= elapsed; sent += SAMPLE) send("changed", sent + SAMPLE);
    if (elapsed < time) return;
    clearInterval(timer);
    send("ended", time);
  }, SAMPLE);
}
