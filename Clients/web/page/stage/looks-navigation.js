import { chance, h, icon, words } from "../dom.js";
import { backing, inkOn, own, photo } from "./view-content.js";

// The wireframes that screens without contents of their own show.
const FRAMES = ["tiles", "thread", "compose", "feed"];
const KNOWN = { dashboard: "tiles", notifications: "feed", posts: "thread", likes: "feed" };

/** The screens of a stack. */
export function navigation(component, view, model) {
  const { content } = component;
  const entry = own(content.screens?.[view]);
  const style = { background: "#f4f5f7", ...own(content), ...entry };
  if (entry.background && !entry.color) style.color = inkOn(entry.background);
  const titles = model.screens?.find(({ name }) => name === view);
  if (titles) return titled(view, titles, entry, style);
  const text = entry.text ?? words(view);
  const frame = KNOWN[view] ?? (FRAMES.includes(view) ? view
    : FRAMES[Math.floor(chance(view) * FRAMES.length)]);
  const depth = model.stack.indexOf(view);
  return {
    kind: `nav-screen nav-${frame}`, key: `${view} ${depth > 0}`, style,
    label: entry.label ?? text, role: entry.role ?? "region", acts: false,
    draw(face) {
      face.style.fontSize = "";
      face.append(
        h("p", { class: "nav-title" },
          depth > 0 ? h("span", { class: "nav-grip", role: "button", tabindex: "0",
            "data-back": "", "aria-label": `Back from ${text}` }) : null, text),
        h("div", { class: "wire", "aria-hidden": "true" },
          Array.from({ length: 6 }, () => h("i", {}, h("b"), h("b"), h("b")))));
      face.firstChild.style.backgroundColor = backing(style.color, style.background);
      face.firstChild.style.fontSize = `${Number(style.font_size) || 24}px`;
    },
  };
}

/** A screen that the scene describes: a bar with its titles, and what the scene puts into it. */
function titled(view, { title, back_title: back }, entry, style) {
  const text = title ?? words(view);
  return {
    kind: "nav-screen", key: `${view} ${title} ${back}`, style, photo: photo(entry.image),
    label: entry.label ?? text, role: entry.role ?? "region", acts: false,
    draw(face) {
      face.style.fontSize = "";
      // A screen that the scene gives no titles has no bar.
      if (title === null && back === null) return;
      // The button with which a finger goes back is the scene's; the grip is for the keyboard.
      face.append(h("div", { class: "nav-bar" },
        back === null ? null : h("span", { class: "nav-grip", role: "button", tabindex: "0",
          "data-back": "", "aria-label": `Back from ${text}` }),
        back === null ? null : h("span", { class: "nav-back", "aria-hidden": "true" },
          icon("back", 20), h("span", {}, back)),
        h("strong", {}, title ?? "")));
    },
  };
}
