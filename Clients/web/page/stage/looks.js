// How each view looks: from the scene's content, the state's model, and nothing else.

import { worded } from "../dom.js";
import { button } from "./looks-button.js";
import { dynamics } from "./looks-dynamics.js";
import { label } from "./looks-label.js";
import { list } from "./looks-list.js";
import { navigation } from "./looks-navigation.js";
import { panel } from "./looks-panel.js";
import { profile } from "./looks-profile.js";
import { reader } from "./looks-reader.js";
import { tabs } from "./looks-tabs.js";
import { tips } from "./looks-tips.js";
import { toss } from "./looks-toss.js";
import { inkOn, own } from "./view-content.js";

const KINDS = { tabs, navigation, list, toss, reader, profile, tips, dynamics, button,
  label, panel };

/**
 * How a view looks.
 *
 * `key` changes whenever something else must be drawn; `style` are content's own keys; `photo` is
 * the address of a picture that fills the view; `role`,
 * `label` and `acts` are for keyboards and screen readers; `draw(face)` fills the element.
 */
export function look(component, view, state) {
  const { model, phase } = state;
  return KINDS[component.kind]?.(component, view, model, phase, state)
    ?? plain(component.content, view);
}

/** A view of which nothing is known but its name. */
export function plain(content, view) {
  return { key: "plain", style: own(content), text: content.text ?? view };
}

/** Writes a look onto its element. */
export function dress(face, look) {
  const { style = {}, photo, role, label, acts } = look;
  face.className = `face ${look.kind ?? ""}`;
  face.style.backgroundColor = style.background ?? "";
  face.style.color = style.color ?? inkOn(style.background) ?? "";
  face.style.borderRadius = style.corner_radius ? `${Number(style.corner_radius)}px` : "";
  face.style.fontSize = style.font_size ? `${Number(style.font_size)}px` : "";
  face.style.backgroundImage = photo ? `url("${photo}")` : "";
  face.classList.toggle("has-photo", Boolean(photo));
  face.style.visibility = style.hidden ? "hidden" : "";
  face.replaceChildren();
  if (look.draw) look.draw(face);
  else if (look.text) face.append(worded(look.text));
  attribute(face, "role", role ?? (acts ? "button" : label ? "img" : null));
  attribute(face, "aria-label", label);
  attribute(face, "tabindex", acts ? "0" : null);
  for (const [name, value] of Object.entries(look.states ?? {})) attribute(face, name, value);
}

function attribute(element, name, value) {
  if (value === null || value === undefined || value === "") element.removeAttribute(name);
  else element.setAttribute(name, worded(value));
}
