import { worded, words } from "../dom.js";
import { overlaps } from "./hints.js";
import { own } from "./view-content.js";

/** A panel: its box, its handle, and the backdrop behind it. */
export function panel({ id, content, parameters, frame }, view, model, phase, { views }) {
  switch (view) {
    case "panel": {
      const percent = Math.round(progressOf(parameters, model) * 100);
      return {
        kind: overlaps(views.panel, frame[2], frame[3]) ? "panel" : "panel is-outside",
        key: `${model.at} ${percent}`, text: content.text,
        style: { background: "#fff", corner_radius: 12, ...own(content) },
        role: "slider", label: worded(content.label ?? words(id)), acts: true,
        states: {
          "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": percent,
          "aria-valuetext": model.at ?? `${percent} %`, "aria-orientation": parameters.axis,
        },
      };
    }
    case "handle":
      return {
        kind: "handle", key: view, style: { background: "#c7c7cc", ...own(content.handle) },
      };
    case "backdrop":
      return {
        kind: "backdrop", key: view, style: { background: "#000", ...own(content.backdrop) },
      };
    default: return { kind: "page", key: view };
  }
}

/** How far a panel is from its first anchor to its last, from 0 to 1. */
function progressOf({ anchors }, { at, progress }) {
  const parts = Math.max(1, anchors.length - 1);
  const index = anchors.findIndex(({ name }) => name === at);
  return index < 0 ? progress / parts : index / parts;
}
