// How large the stage is, and the session with it.

import { debounced } from "../loop.js";

// Milliseconds without another size until the session is resized.
const PAUSE = 150;
// Points: what a hand still uses, and what still looks like a device on a large desk. Alone, the
// screen may be as large as the window.
const LEAST = 200;
const PHONE = [430, 932];
// Points between the device's screen and the edge of its box, for the bezel.
const BEZEL = 24;
// A window whose height alone changes so little has only shown or hidden a bar of its browser.
const BAR = 120;

/**
 * Fits the device into its box, and lets the session follow the window: when the window changes,
 * and only then, so that a second page on one session does not take its size away.
 */
export function followWindow(client, stage, mount, isAlone) {
  document.body.classList.toggle("is-alone", isAlone);
  const room = () => {
    if (isAlone) return [mount.clientWidth, mount.clientHeight];
    const style = getComputedStyle(mount);
    return [mount.clientWidth - 2 * parseFloat(style.paddingLeft) - BEZEL,
      mount.clientHeight - 2 * parseFloat(style.paddingTop) - BEZEL];
  };
  const fit = () => stage.fit(...room(), isAlone ? 8 : 1.5);
  const state = { isOn: true, fit, resize: null };
  const wanted = () => {
    const [w, h] = stage.scene?.viewport ?? [320, 568];
    const most = isAlone ? [4096, 4096] : w > h ? PHONE.toReversed() : PHONE;
    return room().map((length, axis) =>
      Math.round(Math.max(LEAST, Math.min(length, most[axis]))));
  };
  state.resize = () => {
    if (!stage.scene || client.state !== "open") return;
    const viewport = wanted();
    if (viewport.every((length, axis) => length === stage.scene.viewport[axis])) return;
    client.acknowledged(`command/${stage.session.name}`, { command: "resize", viewport })
      .catch(() => {});
  };
  const later = debounced(PAUSE, state.resize);
  let before = [innerWidth, innerHeight];
  addEventListener("resize", () => {
    const [width, height] = before;
    const isCoarse = matchMedia("(pointer: coarse)").matches;
    const isBar = isCoarse && innerWidth === width && Math.abs(innerHeight - height) < BAR;
    before = [innerWidth, innerHeight];
    if (state.isOn && !isBar) later();
  });
  new ResizeObserver(fit).observe(mount);
  if (isAlone) stage.addEventListener("drawn", later, { once: true });
  return state;
}
