import { rowOf } from "../../gestured.js";
import { chance, h, icon, worded, words } from "../dom.js";
import { backing, inkOn, own, photo, picture } from "./view-content.js";

/** Rows, and the menus behind the open one and behind those that make way for it. */
export function list(component, view, model, phase, state) {
  const { content, parameters } = component;
  const number = view === "menu" ? model.row : Number(view.slice(view.indexOf("-") + 1));
  const told = rowOf(state, number);
  if (view === "menu") return menu(component, `${number} ${told?.id}`, true, told);
  if (view.startsWith("menu-")) return menu(component, view, false, told);
  const row = told?.content ?? rowContent(content, number);
  const text = worded(row.text ?? (told ? "" : `Row ${number}`));
  const selected = model.selected === number;
  return {
    kind: `row ${selected ? "is-selected" : ""}`,
    key: `${selected} ${text} ${told ? JSON.stringify(row) : ""}`,
    style: { background: "#fff", ...own(content), ...own(row) },
    role: "button", label: row.label ?? text, acts: true, item: true,
    states: { "aria-pressed": selected },
    draw(face) {
      const tone = Math.round(chance(`tone ${component.id} ${text}`) * 360);
      const disc = h("span", { class: "disc", "aria-hidden": "true" });
      disc.style.backgroundColor = `hsl(${tone} 52% 60%)`;
      const drawn = picture(row, text);
      if (told) {
        // A row that says what it shows gets nothing made up beside it.
        const shot = photo(row.image);
        if (shot) disc.style.backgroundImage = `url("${shot}")`;
        face.append(...(drawn || shot ? [disc] : []), h("span", { class: "row-text" },
          h("span", {}, text), row.detail ? h("small", {}, worded(row.detail)) : ""));
        disc.append(drawn ? icon(drawn, 20) : "");
        face.classList.toggle("is-low", parameters.row_height < 64);
        return;
      }
      disc.append(drawn ? icon(drawn, 20) : "");
      const lines = [0.4 + 0.5 * chance(`a${number}`), 0.25 + 0.4 * chance(`b${number}`)];
      face.append(disc, h("span", { class: "row-text" }, h("span", {}, text),
        row.detail ? h("small", {}, row.detail) : lines.map((part) => {
          const line = h("i", { "aria-hidden": "true" });
          line.style.width = `${Math.round(part * 100)}%`;
          return line;
        })));
      face.classList.toggle("is-low", parameters.row_height < 64);
    },
  };
}

/** Our page reads one key beside the common ones: `rows`, a list of texts or tables. */
function rowContent(content, number) {
  const row = Array.isArray(content.rows) ? content.rows[number] : undefined;
  if (row === undefined || row === null) return {};
  return typeof row === "object" ? row : { text: worded(row) };
}

/** The actions of a row that makes way are seen, and chosen no more. */
function menu({ content, parameters }, key, isOpen, row) {
  const actions = row?.menu ?? parameters.menu;
  return {
    kind: "menu", key, item: isOpen,
    style: { background: "#d8d8dc", ...own(content.menu) },
    draw: (face) => face.append(...actions.map((action) => {
      const look = action.content ?? {};
      const button = h("div", isOpen ? {
        class: "action", role: look.role ?? "button", tabindex: "0", "data-action": action.id,
        "aria-label": look.label ?? look.text ?? words(action.id),
      } : { class: "action", "aria-hidden": "true" },
      h("span", {}, look.text ?? words(action.id)));
      const color = look.color ?? inkOn(look.background) ?? "";
      button.style.backgroundColor = look.background ?? "";
      button.style.color = color;
      button.firstChild.style.backgroundColor = backing(color, look.background);
      return button;
    })),
  };
}
