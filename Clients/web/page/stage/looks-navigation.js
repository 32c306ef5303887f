import { chance, h, icon, words } from "../dom.js";
import { backing, inkOn, own, photo } from "./view-content.js";

// The wireframes that screens without contents of their own show.
const FRAMES = ["tiles", "thread", "compose", "feed"];
const KNOWN = { dashboard: "tiles", notifications: "feed", posts: "thread", likes: "feed" };

/** The screens of a stack. */
export function navigation(component, view, model) {
  const { content } = component;
  // A screen that is not on the stack comes onto it, or leaves it: others lie below.
  const leadsBack = model.stack.indexOf(view) !== 0;
  const entry = own(content.screens?.[view]);
  const style = { background: "#f4f5f7", ...own(content), ...entry };
  if (entry.background && !entry.color) style.color = inkOn(entry.background);
  const titles = model.screens?.find(({ name }) => name === view);
  if (titles) return titled(component, view, titles, entry, style, leadsBack);
  const text = entry.text ?? words(view);
  const frame = KNOWN[view] ?? (FRAMES.includes(view) ? view
    : FRAMES[Math.floor(chance(view) * FRAMES.length)]);
  return {
    kind: `nav-screen nav-${frame}`, key: `${view} ${leadsBack} ${model.back_title}`, style,
    label: entry.label ?? text, role: entry.role ?? "region", acts: false,
    draw(face) {
      face.style.fontSize = "";
      face.append(
        h("p", { class: "nav-title" },
          leadsBack ? grip(component, model.back_title) : null, text),
        h("div", { class: "wire", "aria-hidden": "true" },
          Array.from({ length: 6 }, () => h("i", {}, h("b"), h("b"), h("b")))));
      face.firstChild.style.backgroundColor = backing(style.color, style.background);
      face.firstChild.style.fontSize = `${Number(style.font_size) || 24}px`;
    },
  };
}

/**
 * What leads back by keyboard: it pans from the left edge, as a finger does. Null where no pan from
 * there pops a screen.
 */
function grip({ parameters }, back, more = "") {
  if (!(parameters.pop_edge > 0)) return null;
  return h("span", { class: `nav-grip ${more}`, role: "button", tabindex: "0", "data-back": "",
    "aria-label": back ?? "Back" });
}

/** A screen that the scene describes: a bar with its titles, and what the scene puts into it. */
function titled(component, view, { title, back_title: back }, entry, style, leadsBack) {
  const text = title ?? words(view);
  return {
    kind: "nav-screen", key: `${view} ${title} ${back} ${leadsBack}`, style,
    photo: photo(entry.image),
    label: entry.label ?? text, role: entry.role ?? "region", acts: false,
    draw(face) {
      face.style.fontSize = "";
      // A screen that the scene gives no titles has no bar: the grip shows with the focus alone.
      if (title === null && back === null) {
        if (leadsBack) face.append(grip(component, back, "is-bare") ?? "");
        return;
      }
      // The button with which a finger goes back is the scene's; the grip is for the keyboard.
      face.append(h("div", { class: "nav-bar" },
        leadsBack ? grip(component, back) : null,
        leadsBack ? h("span", { class: "nav-back", "aria-hidden": "true" },
          icon("back", 20), h("span", {}, back ?? "")) : null,
        h("strong", {}, title ?? "")));
    },
  };
}
