// The looks of tab bars, screens and rows.

import { rowOf } from "../../gestured.js";
import { chance, h, icon, s, words } from "../dom.js";
import { backing, colored, inkOn, own, photo, picture } from "./view-content.js";

/** A tab bar: its bar, items, arrow, glows, bubble and pages. */
export function tabs(component, view, model) {
  const { content, parameters } = component;
  const [name] = view.split("-", 1);
  const rest = view.slice(name.length + 1);
  switch (name) {
    case "page": return { kind: "page", key: view };
    case "bar": return bar(component);
    case "item": {
      const index = parameters.items.findIndex((item) => item.id === rest);
      return tab(parameters.items[index], model.items[index]);
    }
    case "glow":
      return { kind: "glow", key: view, style: { color: content.glow?.color ?? "#5ac8fa" } };
    case "arrow": return {
      kind: "tab-arrow", key: view,
      draw(face) {
        face.style.color = content.arrow?.color ?? own(content).background ?? "#000";
        face.append(s("svg", { viewBox: "0 0 20 10", "aria-hidden": "true",
          preserveAspectRatio: "none" }, s("path", { d: "M0 10 10 0 20 10z" })));
      },
    };
    default: return bubble(content.bubble ?? {}, model.bubble);
  }
}

function bar({ id, content, parameters }) {
  const ids = parameters.items.map((item) => item.id).join(" ");
  return {
    kind: "bar", key: `bar ${ids}`, style: own(content), role: "tablist",
    label: content.label ?? words(id), owns: parameters.items.map((item) => `item-${item.id}`),
    draw(face) {
      const color = colored(content.gradient?.color);
      const height = Number(content.gradient?.height) || 22;
      const background = colored(own(content).background) ?? "#111";
      face.style.backgroundImage = color
        ? `linear-gradient(${color}, ${background} ${height}px)` : "";
    },
  };
}

function tab(item, state) {
  const content = item.content ?? {};
  const label = String(content.label ?? content.text ?? words(item.id));
  const drawn = picture(content, item.id, content.text);
  return {
    kind: `tab ${state.selected ? "is-selected" : ""} ${state.highlighted ? "is-pressed" : ""}`,
    key: `${state.selected}${state.highlighted}`,
    style: own(content), role: content.role ?? "tab", label, acts: true,
    states: { "aria-selected": content.role && content.role !== "tab" ? null : state.selected },
    draw: (face) => face.append(
      drawn ? icon(drawn, 20) : h("span", { class: "initial" }, label.slice(0, 1)),
      h("span", {}, content.text ?? item.id)),
  };
}

// Kinds of which a bubble shows the counts, and the highest count in figures: its width's room.
const COUNTED_MAX = 4, COUNT_MAX = 999;

function bubble(content, model) {
  const counts = Object.entries(model?.counts ?? {}).filter(([, count]) => count > 0);
  const text = counts.map(([kind, count]) => `${count} ${words(kind).toLowerCase()}`).join(", ");
  const style = { background: "#d9534f", color: "#ffffff", ...own(content) };
  return {
    kind: "bubble", key: text, style,
    label: content.label ?? (text || "Nothing new"), role: "img",
    draw(face) {
      const capsule = h("span", { class: "capsule" }, counts.slice(0, COUNTED_MAX).map(
        ([kind, count]) => h("span", {}, icon(picture(null, kind) ?? "bell", 15),
          count > COUNT_MAX ? `${COUNT_MAX}+` : `${count}`)));
      capsule.style.backgroundColor = backing(style.color, style.background);
      face.append(capsule);
    },
  };
}

// The wireframes that screens without contents of their own show.
const FRAMES = ["tiles", "thread", "compose", "feed"];
const KNOWN = { dashboard: "tiles", notifications: "feed", posts: "thread", likes: "feed" };

/** The screens of a stack. */
export function navigation(component, view, model) {
  const { content } = component;
  const entry = content.screens?.[view] ?? {};
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

/** Rows, and the menus behind the open one and behind those that make way for it. */
export function list(component, view, model, phase, state) {
  const { content, parameters } = component;
  const number = view === "menu" ? model.row : Number(view.slice(view.indexOf("-") + 1));
  const told = rowOf(state, number);
  if (view === "menu") return menu(component, `${number} ${told?.id}`, true, told);
  if (view.startsWith("menu-")) return menu(component, view, false, told);
  const row = told?.content ?? rowContent(content, number);
  const text = String(row.text ?? (told ? "" : `Row ${number}`));
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
          h("span", {}, text), row.detail ? h("small", {}, String(row.detail)) : ""));
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
  return typeof row === "object" ? row : { text: String(row) };
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
    role: "button", label: String(content.label ?? content.text ?? words(id)), acts: !isDisabled,
    states: {
      "aria-pressed": parameters.toggle ? on : null, "aria-disabled": isDisabled ? true : null,
    },
    draw: (face) => face.append(
      ...(drawn ? [icon(drawn, isTall ? 30 : 20)] : []),
      ...(text === null ? [] : [h("span", {}, String(text))])),
  };
}

/** A label: a text, a picture, or both. */
export function label({ content }, view, model) {
  const isFormer = view === "former";
  const text = isFormer ? model.former_text : model.text;
  const image = isFormer ? model.former_image : model.image;
  const drawn = picture({ image });
  return {
    kind: "label", key: `${text} ${image}`, style: own(content), photo: photo(image),
    label: content.label,
    draw: (face) => face.append(
      ...(drawn ? [icon(drawn, 20)] : []), ...(text ? [h("span", {}, String(text))] : [])),
  };
}

/** A panel: its box, its handle, and the backdrop behind it. */
export function panel({ id, content, parameters }, view, model) {
  switch (view) {
    case "panel": {
      const percent = Math.round(progressOf(parameters, model) * 100);
      return {
        kind: "panel", key: `${model.at} ${percent}`, text: content.text,
        style: { background: "#fff", corner_radius: 12, ...own(content) },
        role: "slider", label: String(content.label ?? words(id)), acts: true,
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
