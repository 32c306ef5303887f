import { chance, h, s, worded } from "../dom.js";
import { own } from "./view-content.js";

/** Articles, their bars, and the arrows in them. */
export function reader({ content, parameters }, view, model) {
  const paper = { background: "#fbfaf6", color: "#333", ...own(content) };
  switch (view) {
    case "page": return article(parameters, paper, model.page, content.articles);
    case "incoming": return article(parameters, paper, model.incoming, content.articles);
    case "header": case "footer": {
      const title = view === "header" ? model.previous_title : model.next_title;
      const loaded = model[view] === "loaded";
      return {
        kind: `pull pull-${view} ${loaded ? "is-loaded" : ""}`, key: `${title} ${loaded}`,
        style: { background: "#e7e4da", color: paper.color, ...own(content[view]) },
        draw: (face) => face.append(
          h("small", {}, loaded ? "Let go to read" : "Pull on to read"),
          h("span", {}, title ?? "")),
      };
    }
    default: return {
      kind: "pull-arrow", key: view, style: { color: paper.color },
      draw: (face) => face.append(arrow(view === "header_arrow")),
    };
  }
}

const arrow = (down) => s("svg", { viewBox: "0 0 21 39", "aria-hidden": "true" }, s("path", {
  d: down ? "M10.500 4v30m0 0-7-8m7 8 7-8" : "M10.500 35V5m0 0-7 8m7-8 7 8",
  fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round",
  "stroke-linejoin": "round",
}));

function article(parameters, paper, index, articles) {
  const { pages } = parameters;
  const words = Array.isArray(articles) ? articles[index] : undefined;
  const title = Array.isArray(pages) ? pages[index] : `Page ${index + 1}`;
  const tone = Math.round(chance(`article ${title}`) * 360);
  return {
    kind: "article", key: `${title} ${index}`, style: { ...paper, role: undefined },
    role: paper.role ?? "document", label: paper.label ?? title, acts: true,
    draw(face) {
      const plate = h("span", { class: "photo", "aria-hidden": "true" });
      plate.style.backgroundImage =
        `linear-gradient(160deg, hsl(${tone} 30% 80%), hsl(${(tone + 40) % 360} 34% 62%))`;
      const lines = Array.from({ length: 15 }, (_, line) => {
        const bar = h("i");
        const isLast = line % 5 === 4;
        const part = isLast ? 0.35 + 0.35 * chance(`${title}${line}`)
          : 0.92 + 0.08 * chance(`${title}${line}`);
        bar.style.width = `${Math.round(part * 100)}%`;
        return bar;
      });
      face.append(h("small", {}, `${index + 1} of ${Array.isArray(pages) ? pages.length : pages}`),
        h("strong", {}, title), plate, words ? h("span", { class: "words" }, worded(words))
          : h("span", { class: "lines", "aria-hidden": "true" }, lines));
    },
  };
}
