import { capture, connect, layers } from "./gestured.js";

const name = new URLSearchParams(location.search).get("session") ?? "example";
const stage = document.querySelector("#stage");
const elements = new Map();
const client = connect();
await client.request("open", { session: name, scene: "phone" });
const session = client.watch(name);
capture(stage, client, name);

function words({ view, text }) {
  if (view === "bubble") return `${session.badge?.total ?? 0} new`;
  return text ?? (/^row-/.test(view) ? view.replace("row-", "Row ") : "");
}

function paint(holder, list, seen) {
  list.forEach((layer, index) => {
    const { key, view, left, top, w, h, rotation, scale, alpha, clip, round } = layer;
    const look = view ? layer.content : {}, text = view ? words(layer) : "";
    const element = elements.get(key) ?? document.createElement("div");
    if (!elements.has(key)) element.append("");
    elements.set(key, element);
    seen.add(key);
    Object.assign(element.style, {
      position: "absolute", left: `${left}px`, top: `${top}px`, width: `${w}px`, height: `${h}px`,
      transform: `rotate(${rotation}rad) scale(${scale})`, opacity: alpha,
      overflow: clip ? "hidden" : "", borderRadius: round ? "50%" : `${look.corner_radius}px`,
      backgroundColor: look.background ?? (text ? "" : look.color) ?? "",
      color: look.color ?? "#000",
      font: `${look.font_size ?? 12}px sans-serif`, display: "grid", placeItems: "center",
      boxShadow: /^row-/.test(view) ? "0 1px #ddd" : "",
    });
    if (element.firstChild.data !== text) element.firstChild.data = text;
    const next = holder.childNodes[index + 1] ?? null;
    if (next !== element) holder.insertBefore(element, next);
    paint(element, layer.children, seen);
  });
}

function draw(now) {
  const [width, height] = session.scene?.viewport ?? [0, 0], seen = new Set();
  Object.assign(stage.style, { position: "relative", overflow: "hidden", margin: "auto" });
  Object.assign(stage.style, { width: `${width}px`, height: `${height}px` });
  paint(stage, layers(session.scene, session.at(now)), seen);
  for (const key of elements.keys()) if (!seen.has(key)) elements.get(key).remove();
  for (const key of elements.keys()) if (!seen.has(key)) elements.delete(key);
  requestAnimationFrame(draw);
}
stage.append("");
requestAnimationFrame(draw);
