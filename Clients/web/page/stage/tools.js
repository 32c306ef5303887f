// The buttons under the stage.

import { calm, h, icon } from "../dom.js";
import { viewportOf } from "./sizes.js";

/**
 * Fills the toolbar: traces, the session's size, the whole window. `tell` says what is refused. The
 * screen that is alone has no toolbar, and no traces: a guest sees the session, and stays in it.
 */
export function tools(bar, client, stage, query, tell) {
  if (query.has("alone")) return;
  const traces = h("button", { class: "button is-small", type: "button", id: "traces",
    click: () => trace(!stage.trails.on) }, icon("trace", 15), "Traces");
  const trace = (isOn) => {
    stage.trails.on = isOn;
    traces.setAttribute("aria-pressed", String(isOn));
  };
  trace(!calm());
  const whole = h("button", { class: "button is-small", type: "button", id: "whole",
    "data-needs-daemon": "",
    title: "The stage in the whole window, and nothing else",
    click: () => {
      location.assign(`?session=${encodeURIComponent(stage.session.name)}&alone`);
    } }, icon("expand", 15), "Full window");
  bar.append(traces, ...sizes(client, stage, tell), whole);
}

/**
 * The session's size is one for all who watch it: a button gives it that of this stage, and one
 * takes that back.
 */
function sizes(client, stage, tell) {
  let former = null;
  const resize = async (viewport) => {
    const session = stage.session.name;
    const before = stage.scene.viewport;
    try {
      await client.acknowledged(`command/${session}`, { command: "resize", viewport });
      return { session, viewport: before };
    } catch (error) {
      tell(error.message);
      return null;
    }
  };
  const change = h("button", { class: "button is-small", type: "button", id: "resize",
    "data-needs-daemon": "",
    title: "Gives the session the size of this stage, for all who watch it",
    click: async () => {
      if (!stage.scene) return;
      const viewport = viewportOf(stage, stage.device.parentElement);
      if (viewport.every((length, axis) => length === stage.scene.viewport[axis])) {
        tell("The session has the size of this stage already.");
        return;
      }
      former = await resize(viewport) ?? former;
      show();
    } }, "Resize session");
  const undo = h("button", { class: "button is-small", type: "button", id: "undo-resize",
    "data-needs-daemon": "",
    click: async () => {
      if (await resize(former.viewport)) former = null;
      show();
      if (undo.hidden) change.focus();
    } }, "Undo resize");
  const show = () => { undo.hidden = former === null || former.session !== stage.session?.name; };
  stage.addEventListener("drawn", show);
  show();
  return [change, undo];
}
