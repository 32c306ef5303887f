// How large the stage is. The session keeps its own size; a button alone gives it another one.

// Points: what a hand still uses, and what still looks like a device on a large desk.
const LEAST = 200;
const PHONE = [430, 932];
// Points between the device's screen and the edge of its box, for the bezel.
const BEZEL = 24;
// How many times larger than its points a session is shown: on the desk, and alone.
const ZOOM_MAX = 1.5, ZOOM_ALONE_MAX = 8;

/** Fits the device into its box, and keeps it so: the page scales, the session stays as it is. */
export function fitWindow(stage, mount, isAlone) {
  document.body.classList.toggle("is-alone", isAlone);
  new ResizeObserver(() => {
    stage.fit(...room(mount), isAlone ? ZOOM_ALONE_MAX : ZOOM_MAX);
  }).observe(mount);
}

function room(mount) {
  if (document.body.classList.contains("is-alone")) return [mount.clientWidth, mount.clientHeight];
  const style = getComputedStyle(mount);
  return [mount.clientWidth - 2 * parseFloat(style.paddingLeft) - BEZEL,
    mount.clientHeight - 2 * parseFloat(style.paddingTop) - BEZEL];
}

/** The viewport that fills the stage's box, one point for each pixel. */
export function viewportOf(stage, mount) {
  const [w, h] = stage.scene.viewport;
  const most = w > h ? PHONE.toReversed() : PHONE;
  return room(mount).map((length, axis) =>
    Math.round(Math.max(LEAST, Math.min(length, most[axis]))));
}
