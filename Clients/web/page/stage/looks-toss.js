import { h, icon } from "../dom.js";
import { own, photo, picture } from "./view-content.js";

/** A view that hangs on the finger. */
export function toss({ content }, view) {
  if (view === "touch" || view === "anchor") {
    const color = content[view]?.background ?? (view === "touch" ? "#ff3b30" : "#0a84ff");
    return { kind: "mark", key: view, draw: (face) => { face.style.color = color; } };
  }
  const style = { background: "#5856d6", corner_radius: 10, ...own(content) };
  return {
    kind: "toss", key: "item", style, photo: photo(style.image), acts: true,
    role: style.role ?? "button",
    label: style.label ?? style.text ?? "A view to throw",
    draw: (face) => face.append(
      ...(photo(style.image) ? [] : [icon(picture(style) ?? "hand", 34)]),
      h("span", {}, style.text ?? "")),
  };
}
