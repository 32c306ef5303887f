import { chance, h, icon, words } from "../dom.js";
import { own, picture } from "./view-content.js";

/** The items of a world. */
export function dynamics({ parameters, content }, view) {
  const item = parameters.items.find((one) => one.id === view) ?? {};
  const round = item.shape === "circle";
  const look = own(item.content);
  const style = { ...own(content), ...look };
  const bare = !look.background && !look.color;
  const small = Math.min(...(item.size ?? [40, 40])) < 36;
  const drawn = picture(look, look.text);
  return {
    kind: `thing ${round ? "is-round" : ""} ${bare ? "is-bare" : ""} ${small ? "is-small" : ""}`,
    key: JSON.stringify([item.content, round]), style, acts: !bare || !round,
    role: look.role ?? "button", label: look.label ?? look.text ?? words(view),
    draw(face) {
      if (drawn) face.append(icon(drawn, small ? 12 : 28));
      if (look.text) face.append(h("span", { class: drawn ? "under" : "" }, look.text));
      if (look.handle) sheet(face, view);
    },
  };
}

/** A sheet that is pulled up by its handle: lines as of places nearby. */
function sheet(face, view) {
  face.classList.add("is-sheet");
  face.prepend(h("i", { class: "handle-bar", "aria-hidden": "true" }));
  face.append(h("span", { class: "places", "aria-hidden": "true" },
    Array.from({ length: 6 }, (_, index) => {
      const line = h("b");
      line.style.width = `${Math.round(35 + 45 * chance(`${view}${index}`))}%`;
      return h("i", {}, line, h("b"));
    })));
}
