import { capture, connect, layers } from "./gestured.js";

const name = new URLSearchParams(location.search).get("session") ?? "example";
const stage = document.querySelector("#stage");
const elements = new Map();
const client = connect();
await client.request("open", { session: name, scene: "phone" });
const session = client.watch(name);
capture(stage, client, name);
session.addEventListener("scene", ({ detail: scene }) => Object.assign(stage.style, {
  position: "relative", overflow: "hidden",
  width: `${scene?.viewport[0] ?? 0}px`, height: `${scene?.viewport[1] ?? 0}px`,
}));

function paint(holder, list, seen) {
  list.forEach((layer, index) => {
    let element = elements.get(layer.key);
    if (!element) elements.set(layer.key, (element = document.createElement("div")));
    seen.add(layer.key);
    const { background, color, corner_radius, font_size } = layer.view ? layer.content : {};
    Object.assign(element.style, {
      position: "absolute", left: `${layer.left}px`, top: `${layer.top}px`,
      width: `${layer.w}px`, height: `${layer.h}px`, opacity: layer.alpha,
      transform: `rotate(${layer.rotation}rad) scale(${layer.scale})`,
      overflow: layer.clip ? "hidden" : "visible", color, fontSize: `${font_size ?? 12}px`,
      background: background ?? (layer.text ? "" : color) ?? "",
      borderRadius: layer.round ? "50%" : `${corner_radius ?? 0}px`,
    });
    if (element.dataset.text !== layer.text) element.prepend(element.dataset.text = layer.text ?? "");
    if (holder.children[index] !== element) holder.insertBefore(element, holder.children[index]);
    paint(element, layer.children, seen);
  });
}

function draw(now) {
  const seen = new Set();
  paint(stage, layers(session.scene, session.at(now)), seen);
  for (const [key, element] of elements)
    if (!seen.has(key)) element.remove(elements.delete(key));
  requestAnimationFrame(draw);
}
requestAnimationFrame(draw);
