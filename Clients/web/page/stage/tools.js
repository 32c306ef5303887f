// The buttons under the stage.

import { calm, h, icon } from "../dom.js";

/** Fills the toolbar: traces, following the window, the whole window. */
export function tools(bar, stage, size, query) {
  const toggle = (id, name, drawn, isOn, change) => {
    const button = h("button", { class: "button is-small", type: "button", id,
      "aria-pressed": String(isOn), click: () => {
        const next = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(next));
        change(next);
      } }, drawn ? icon(drawn, 15) : null, name);
    change(isOn);
    return button;
  };
  const traces = toggle("traces", "Traces", "trace", !calm(), (isOn) => {
    stage.trails.on = isOn;
  });
  const follow = toggle("follow", "Follow window", null, true, (isOn) => { size.isOn = isOn; });
  const isAlone = query.has("alone");
  const whole = h("button", { class: "button is-small", type: "button", id: "whole",
    title: isAlone ? "Back to the instruments" : "The stage in the whole window",
    click: () => {
      const name = encodeURIComponent(stage.session.name);
      location.assign(`?session=${name}${isAlone ? "" : "&alone"}`);
    } }, icon(isAlone ? "close" : "expand", 15), isAlone ? "Instruments" : "Full window");
  bar.append(traces, follow, whole);
  if (isAlone) {
    addEventListener("keydown", (event) => {
      if (event.key === "Escape") whole.click();
    });
  }
}
