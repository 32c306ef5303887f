import { chance, h, icon, s } from "../dom.js";
import { own, photo, picture } from "./view-content.js";

// Dots of one row under a card: as many as its width has room for.
const DOTS_MAX = 12;

/** Cards on a pin, and the shade behind them. */
export function tips({ content, parameters }, view, model) {
  if (view === "backdrop") {
    return { kind: "backdrop", key: "", style: { background: "#000", ...own(content.backdrop) } };
  }
  const card = { ...own(content), ...own(parameters.tips[model.index]?.content),
    ...own(model.content) };
  const count = Math.min(model.count, DOTS_MAX);
  return {
    kind: "tip", key: `${model.index} ${model.count} ${model.title} ${model.summary}`,
    style: { background: "#fff", corner_radius: 14, ...card }, acts: true,
    role: "button", label: `${model.title}. ${model.summary}`,
    draw: (face) => face.append(
      art(card.image ?? model.image, model.title),
      h("strong", {}, model.title), h("span", { class: "summary" }, model.summary),
      h("span", { class: "dots" }, Array.from({ length: count }, (_, index) =>
        h("i", { class: index === model.index ? "is-here" : "" })))),
  };
}

/** A picture by its name, or one made of the text: a card's arcs about its pin. */
function art(image, text) {
  const tone = Math.round(chance(`art ${text}`) * 360);
  const box = h("span", { class: "art", "aria-hidden": "true" });
  box.style.backgroundColor = `hsl(${tone} 34% 91%)`;
  box.style.color = `hsl(${tone} 48% 42%)`;
  const drawn = picture({ image });
  const shot = photo(image);
  if (shot) {
    box.classList.add("has-photo");
    box.style.backgroundImage = `url("${shot}")`;
    return box;
  }
  if (drawn) {
    box.append(icon(drawn, 96));
    return box;
  }
  const picture_ = s("svg", { viewBox: "0 0 268 210", "aria-hidden": "true" });
  for (let index = 0; index < 7; index += 1) {
    const turn = -50 + index * 9.5 + chance(`${text}${index}`) * 4;
    picture_.append(s("rect", {
      x: 98, y: 48, width: 72, height: 96, rx: 9, transform: `rotate(${turn} 134 330)`,
      fill: index === 6 ? `hsl(${tone} 52% 58%)` : "none", stroke: "currentColor",
      "stroke-width": 1.4, "stroke-opacity": 0.18 + index * 0.12,
    }));
  }
  box.append(picture_);
  return box;
}
