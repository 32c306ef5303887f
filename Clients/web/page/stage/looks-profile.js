import { chance, h, icon, worded, words } from "../dom.js";
import { inkOn, own, photo, picture } from "./view-content.js";

// Posts of one person: no page is longer.
const POSTS_MAX = 64;

/** A header that follows the scroll. */
export function profile({ id, content }, view) {
  const name = content.name?.text ?? words(id);
  switch (view) {
    case "content": return {
      kind: "profile-content", key: name, style: { background: "#fff", ...own(content) },
      role: content.role ?? "region", label: content.label ?? name, acts: true,
      draw: (face) => face.append(
        h("strong", {}, name), Array.isArray(content.posts) ? written(content) : unwritten(id)),
    };
    case "header": return {
      kind: "profile-header", key: "", style: { background: "#4099ff", ...own(content.header) },
      photo: photo(content.header?.image),
    };
    case "blur": return {
      kind: "profile-blur", key: "", style: { background: "#2a6db8", ...own(content.blur) },
    };
    case "avatar": {
      const style = { background: "#ffcc00", corner_radius: 10, ...own(content.avatar) };
      return {
        kind: "avatar", key: "", style, role: "img", label: style.label ?? `Picture of ${name}`,
        photo: photo(style.image),
        draw: (face) => {
          if (!photo(style.image)) face.append(icon(picture(style) ?? "profile", 40));
        },
      };
    }
    default: return {
      kind: "profile-name", key: name,
      style: { color: inkOn(content.header?.background ?? "#4099ff"), ...own(content.name) },
      text: name,
    };
  }
}

/** Draws gray bars where the scene gives no posts. */
function unwritten(id) {
  return h("span", {}, h("span", { class: "handle" }, `@${id}`), h("span", { class: "posts",
    "aria-hidden": "true" }, Array.from({ length: 12 }, (_, post) => h("i", {},
    ...[0, 1, 2].map((line) => {
      const bar = h("b");
      bar.style.width = `${Math.round((line === 2 ? 0.3 : 0.62)
        + 0.3 * chance(`${id} ${post} ${line}`) * 100) + (line === 2 ? 30 : 55)}%`;
      return bar;
    })))));
}

/** Words that the scene gives to a person's page: about the person, and posts. */
function written({ about, posts }) {
  return h("span", { class: "written" }, h("span", {}, worded(about ?? "")),
    posts.slice(0, POSTS_MAX).map((post) => h("span", { class: "post" }, worded(post))));
}
