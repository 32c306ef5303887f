// The buttons under the stage.

import { calm, h, icon } from "../dom.js";
import { viewportOf } from "./sizes.js";

/** Fills the toolbar: traces, the session's size, the whole window. `tell` says what is refused. */
export function tools(bar, client, stage, query, tell) {
  const traces = h("button", { class: "button is-small", type: "button", id: "traces",
    click: () => trace(!stage.trails.on) }, icon("trace", 15), "Traces");
  const trace = (isOn) => {
    stage.trails.on = isOn;
    traces.setAttribute("aria-pressed", String(isOn));
  };
  trace(!calm());
  const isAlone = query.has("alone");
  const whole = h("button", { class: "button is-small", type: "button", id: "whole",
    "data-needs-daemon": "",
    title: isAlone ? "Back to the instruments" : "The stage in the whole window",
    click: () => {
      const name = encodeURIComponent(stage.session.name);
      location.assign(`?session=${name}${isAlone ? "" : "&alone"}`);
    } }, icon(isAlone ? "close" : "expand", 15), isAlone ? "Instruments" : "Full window");
  bar.append(traces, ...sizes(client, stage, tell), whole);
  if (isAlone) {
    addEventListener("keydown", (event) => {
      if (event.key === "Escape") whole.click();
    });
  }
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
