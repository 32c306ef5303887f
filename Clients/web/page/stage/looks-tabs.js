import { h, icon, s, worded, words } from "../dom.js";
import { backing, colored, own, picture } from "./view-content.js";

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
      const height = Number(worded(content.gradient?.height)) || 22;
      const background = colored(own(content).background) ?? "#111";
      face.style.backgroundImage = color
        ? `linear-gradient(${color}, ${background} ${height}px)` : "";
    },
  };
}

function tab(item, state) {
  const content = item.content ?? {};
  const label = worded(content.label ?? content.text ?? words(item.id));
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
