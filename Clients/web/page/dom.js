// Elements without markup: the page's policy forbids inline scripts and styles.

/** A value of content as words: a scene may have a table or a list where words belong. */
export function worded(value) {
  return value === null || typeof value === "object" ? "" : String(value ?? "");
}

/** An element with attributes (functions are listeners) and children. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else if (name === "class") element.className = value;
    else element.setAttribute(name, value === true ? "" : worded(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined)
    .map((child) => (child instanceof Node ? child : worded(child))));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** An element of a vector picture. */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Strokes on a grid of 24 by 24.
const ICONS = {
  home: "M4 11.5 12 5l8 6.5V20h-5v-5H9v5H4z",
  popular: "M12 3c1 4 5 5.5 5 10.5a5 5 0 0 1-10 0C7 11 8.5 10 9 8c1.5.5 2.5 1.5 3 3 1-2 .5-5 0-8z",
  share: "M12 15V4m0 0L8 8m4-4 4 4M6 11H5v9h14v-9h-1",
  news: "M4 5h13v14H6a2 2 0 0 1-2-2zm13 4h3v8a2 2 0 0 1-2 2h-1M7 8.500h7M7 12h7M7 15.500h4",
  profile: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20.500c.6-4 4-6 8-6s7.4 2 8 6",
  mail: "M3.5 6h17v12h-17zm0 .5 8.5 7 8.5-7",
  maps: "M12 21c4-5 6.5-8 6.5-11.300a6.5 6.5 0 0 0-13 0C5.5 13 8 16 12 21zm0-9a2.3 2.3 0 1 0"
    + " 0-4.6 2.3 2.3 0 0 0 0 4.600z",
  music: "M9 18V6l10-2v12M9 18a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zm10-2a2.5 2.5 0 1 1-5 0"
    + " 2.5 2.5 0 0 1 5 0z",
  photos: "M3.5 5.500h17v13h-17zm0 10 5-5 4 4 2.5-2.5 5.5 5M15.5 9h.01",
  likes: "M12 20S4 15 4 9.500A4.2 4.2 0 0 1 12 7.500a4.2 4.2 0 0 1 8 2C20 15 12 20 12 20z",
  comments: "M4 5h16v11h-8l-4.5 4V16H4z",
  followers: "M9 11.500a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 19.500c.5-3.5 3-5.5 6.5-5.500s6"
    + " 2 6.5 5.500M18.5 8v6m-3-3h6",
  mentions: "M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0zm0 0v1.500a2.2 2.2 0 0 0 4.5 0V12a8.5 8.5 0 1"
    + " 0-3.5 7",
  bell: "M6 16.500V11a6 6 0 0 1 12 0v5.500l1.5 1.500h-15zM10 20.500h4",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 15a3 3 0 1 0"
    + " 0-6 3 3 0 0 0 0 6z",
  market: "M5 9h14l1 11.500H4zm3.5 3V7.500a3.5 3.5 0 0 1 7 0V12",
  compose: "M4.5 19.500l1-4.500L16 4.500 19.5 8 9 18.500zM13.5 7l3.5 3.500",
  back: "M15 5l-7 7 7 7",
  play: "M7 4.500v15l12-7.500z",
  stop: "M6.5 6.500h11v11h-11z",
  record: "M12 18a6 6 0 1 0 0-12 6 6 0 0 0 0 12z",
  download: "M12 4v11m0 0-4.5-4.500M12 15l4.5-4.500M4.5 19.500h15",
  open: "M5 12h14m0 0-6-6m6 6-6 6",
  expand: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  trace: "M3 19c3-9 8-13 18-14M3 19h.010M7 12.500h.010M12.5 8h.010M21 5h.01",
  arrow: "M12 5v14m0 0-6-6m6 6 6-6",
  lock: "M6 11h12v9H6zm2.5 0V8a3.5 3.5 0 0 1 7 0v3",
  close: "m6 6 12 12M18 6 6 18",
  hand: "M8 12V6.500a1.5 1.5 0 0 1 3 0V11m0-.500v-6a1.5 1.5 0 0 1 3 0V11m0-4.500a1.5 1.5 0 0"
    + " 1 3 0V14c0 4-2 6.5-5.5 6.5-3 0-4.5-1.5-7-6.500a1.6 1.6 0 0 1 2.7-1.600L8 14",
};

/** Whether there is a drawing of this name. */
export const hasIcon = (name) => Object.hasOwn(ICONS, name);

/** A drawing in the color of the text around it. */
export function icon(name, size = 20) {
  return s("svg", {
    viewBox: "0 0 24 24", width: size, height: size, class: "icon", "aria-hidden": "true",
    fill: ["play", "stop", "record"].includes(name) ? "currentColor" : "none",
    stroke: "currentColor", "stroke-width": 1.7,
    "stroke-linecap": "round", "stroke-linejoin": "round",
  }, s("path", { d: ICONS[name] ?? ICONS.record }));
}

/** A name as words: "in-from-bottom" becomes "In from bottom". */
export function words(name) {
  const text = worded(name).replace(/[-_.~]+/g, " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A text as a number of its own, from 0 up to 1: the same text, the same number. */
export function chance(text) {
  let value = 2166136261;
  for (const letter of worded(text)) {
    value = Math.imul(value ^ letter.codePointAt(0), 16777619) >>> 0;
  }
  return (((value ^ (value >>> 13)) >>> 0) % 1000) / 1000;
}

/** Whether the person asked for less motion. */
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
