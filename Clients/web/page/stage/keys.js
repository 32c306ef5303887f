// A stage by keyboard: what content names is focused, touched, flicked and scrolled.

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
    if (isTap) tap(stage, target);
    else if (DIRECTIONS[event.key]) push(stage, target, DIRECTIONS[event.key]);
    else return;
    event.preventDefault();
  });
  stage.screen.addEventListener("click", (event) => {
    const target = event.target.closest("[tabindex]");
    if (event.detail === 0 && target && target !== stage.screen) tap(stage, target);
  });
}

function middle(stage, element) {
  const box = element.getBoundingClientRect();
  const screen = stage.screen.getBoundingClientRect();
  const between = (low, high, least, most) =>
    (Math.max(low, least) + Math.min(high, most)) / 2;
  return stage.toPoint(between(box.left, box.right, screen.left, screen.right),
    between(box.top, box.bottom, screen.top, screen.bottom));
}

/** A tap on an element's middle; on what leads back, a pan from the left edge. */
function tap(stage, element) {
  const [x, y] = middle(stage, element);
  if (element.dataset.back !== undefined) {
    drag(stage, [3, y], [stage.scene.viewport[0] * 0.8, y], FLICK.time * 2);
    return;
  }
  const send = (phase) => stage.gesture(
    { gesture: "pointer", phase, pointer: POINTER, x, y, t: Date.now() });
  send("began");
  setTimeout(() => send("ended"), TAP);
}

function push(stage, element, [dx, dy]) {
  const { kind } = stage.component(element.closest("[data-component]").dataset.component);
  const [x, y] = middle(stage, element);
  if (dy && (kind === "list" || kind === "profile")) {
    stage.gesture({ gesture: "wheel", dx: 0, dy: dy * TURN, x, y });
    return;
  }
  const { reach, time } = kind === "reader" ? PULL : FLICK;
  // A finger that pulls the page up reads on, as the key that points down.
  const sign = kind === "reader" ? -1 : 1;
  drag(stage, [x, y], [x + dx * reach, y + sign * dy * reach], time);
}

/** A finger's way, sampled as hands are. */
function drag(stage, from, to, time) {
  const start = performance.now();
  const step = (phase) => {
    const part = Math.min(1, (performance.now() - start) / time);
    stage.gesture({
      gesture: "pointer", phase, pointer: POINTER, t: Date.now(),
      x: from[0] + (to[0] - from[0]) * part, y: from[1] + (to[1] - from[1]) * part,
    });
    return part < 1;
  };
  step("began");
  const timer = setInterval(() => {
    if (step("changed")) return;
    clearInterval(timer);
    step("ended");
  }, SAMPLE);
}
