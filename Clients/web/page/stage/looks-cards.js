// The looks of tips, tossed views, articles, profiles and worlds.

import { chance, h, icon, s, words } from "../dom.js";
import { inkOn, own, photo, picture } from "./view-content.js";

// Dots of one row under a card: as many as its width has room for.
const DOTS_MAX = 12;
// Posts of one person: no page is longer.
const POSTS_MAX = 64;

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

/** A view that hangs on the finger. */
export function toss({ content }, view) {
  if (view === "touch" || view === "anchor") {
    const color = content[view]?.background ?? (view === "touch" ? "#ff3b30" : "#0a84ff");
    return { kind: "mark", key: view, draw: (face) => { face.style.color = color; } };
  }
  const style = { background: "#5856d6", corner_radius: 10, ...own(content) };
  return {
    kind: "toss", key: "item", style, photo: photo(style.image), acts: true,
    role: style.role ?? "button",
    label: style.label ?? style.text ?? "A view to throw",
    draw: (face) => face.append(
      ...(photo(style.image) ? [] : [icon(picture(style) ?? "hand", 34)]),
      h("span", {}, style.text ?? "")),
  };
}

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
        h("strong", {}, title), plate, words ? h("span", { class: "words" }, String(words))
          : h("span", { class: "lines", "aria-hidden": "true" }, lines));
    },
  };
}

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
  return h("span", { class: "written" }, h("span", {}, String(about ?? "")),
    posts.slice(0, POSTS_MAX).map((post) => h("span", { class: "post" }, String(post))));
}

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
