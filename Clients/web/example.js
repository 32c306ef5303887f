// Draws one session with plain elements, and touches it: /example.html?session=NAME

import { capture, connect, layers } from "./gestured.js";

const name = new URLSearchParams(location.search).get("session") ?? "example";
const stage = document.querySelector("#stage");
// The elements of the layers that show, by the layers' keys.
const elements = new Map();

const client = connect();
await client.request("open", { session: name, scene: "phone" });
const session = client.watch(name);
capture(stage, client, name);
requestAnimationFrame(draw);

/** Draws one picture, and asks for the next one. */
function draw(now) {
  const [width, height] = session.scene?.viewport ?? [0, 0];
  Object.assign(stage.style, {
    position: "relative", overflow: "hidden", margin: "auto",
    width: `${width}px`, height: `${height}px`,
  });
  const shown = new Set();
  drawLayers(layers(session.scene, session.at(now)), stage, shown);
  for (const [key, element] of elements) {
    if (shown.has(key)) continue;
    element.remove();
    elements.delete(key);
  }
  requestAnimationFrame(draw);
}

/** Draws layers, nested as they are, and adds their keys to `shown`. */
function drawLayers(list, parent, shown) {
  list.forEach((layer, index) => {
    const element = elements.get(layer.key) ?? createElement();
    elements.set(layer.key, element);
    shown.add(layer.key);
    if (element.parentNode !== parent) parent.append(element);
    place(element, layer, index);
    // A component has no look of its own, its views have.
    if (layer.view !== null) dress(element, layer);
    drawLayers(layer.children, element, shown);
  });
}

function createElement() {
  const element = document.createElement("div");
  // Its text; the elements that it holds come behind.
  element.append("");
  return element;
}

function place(element, { left, top, w, h, rotation, scale, alpha, clip }, index) {
  Object.assign(element.style, {
    position: "absolute", zIndex: index, left: `${left}px`, top: `${top}px`,
    width: `${w}px`, height: `${h}px`, opacity: alpha, overflow: clip ? "hidden" : "",
    transform: `rotate(${rotation}rad) scale(${scale})`,
  });
}

function dress(element, layer) {
  const { view, content, round } = layer;
  const text = textOf(layer);
  // A text's color is not its box's, as long as the box has no background.
  const background = content.background ?? (text ? "" : content.color);
  Object.assign(element.style, {
    display: "grid", placeItems: "center", font: `${content.font_size ?? 12}px sans-serif`,
    color: content.color ?? "#000", backgroundColor: background ?? "",
    borderRadius: round ? "50%" : `${content.corner_radius ?? 0}px`,
    boxShadow: view.startsWith("row-") ? "0 1px #ddd" : "",
  });
  if (element.firstChild.data !== text) element.firstChild.data = text;
}

function textOf({ view, text }) {
  if (view === "bubble") return `${session.badge?.total ?? 0} new`;
  if (view.startsWith("row-")) return text ?? view.replace("row-", "Row ");
  return text ?? "";
}
