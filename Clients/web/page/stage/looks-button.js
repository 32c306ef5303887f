import { h, icon, worded, words } from "../dom.js";
import { own, photo, picture } from "./view-content.js";

// Points: a button as high as this has its picture above its text.
const TALL = 64;

/** A button: a box with a picture, a text, or both. */
export function button({ id, frame, content, parameters }, view, model, phase) {
  const isDisabled = phase === "disabled";
  const { highlighted, on } = model;
  const drawn = picture(content);
  const shot = photo(content.image);
  const text = content.text ?? (drawn || shot ? null : words(id));
  const isTall = drawn && frame[3] >= TALL;
  return {
    photo: shot,
    kind: `control ${isTall ? "is-tall" : ""} ${highlighted ? "is-pressed" : ""} ${
      isDisabled ? "is-disabled" : ""} ${
      parameters.toggle && !on ? "is-off" : ""}`,
    key: `${highlighted} ${on} ${isDisabled}`,
    style: { background: "#007aff", corner_radius: 10, ...own(content) },
    role: "button", label: worded(content.label ?? content.text ?? words(id)), acts: !isDisabled,
    states: {
      "aria-pressed": parameters.toggle ? on : null, "aria-disabled": isDisabled ? true : null,
    },
    draw: (face) => face.append(
      ...(drawn ? [icon(drawn, isTall ? 30 : 20)] : []),
      ...(text === null ? [] : [h("span", {}, worded(text))])),
  };
}
