import { layers } from "./layers.js";

/** The kinds that scroll. They take touches on their whole frame. */
export const SCROLLING_KINDS = ["list", "profile", "reader"];

/**
 * What a touch would reach, by docs/protocol/touch.md.
 *
 * @param {object | null} scene
 * @param {Map<string, object>} states by component
 * @param {number} x points of the viewport, from its left edge
 * @param {number} y points of the viewport, from its top edge
 * @returns {{component: string, view: string | null} | null} null where there is nothing
 */
export function hit(scene, states, x, y) {
  const kinds = new Map(scene?.components.map(({ id, kind }) => [id, kind]));
  const context = { kinds, states };
  return frontmost(layers(scene, states), (layer) => hitComponent(layer, { x, y }, context));
}

/** The first result that is not null, from front to back: layers begin with what is at the back. */
function frontmost(list, find) {
  for (const layer of list.toReversed()) {
    const found = find(layer);
    if (found) return found;
  }
  return null;
}

/** Searches a component; `outer` is the point in the coordinates of what holds it. */
function hitComponent(layer, outer, context) {
  const { component, left, top, w, h, clip, children } = layer;
  const kind = context.kinds.get(component);
  const point = { x: outer.x - left, y: outer.y - top };
  const frame = { w, h, round: false };
  if (clip && !contains(frame, point)) return null;
  // During its transition, a navigation takes all touches, even those on what its screens hold.
  const isInTransition = kind === "navigation"
    && context.states.get(component).phase === "transitioning";
  const found = frontmost(children, (view) =>
    hitView(view, point, context, { kind, hidesChildren: isInTransition }));
  if (found) return found;
  if (isInTransition) return { component, view: null };
  if (SCROLLING_KINDS.includes(kind) && contains(frame, point)) return { component, view: null };
  // Tips are modal while they show.
  return kind === "tips" && children.length ? { component, view: "backdrop" } : null;
}

/** Searches what a view holds, and then the view itself. */
function hitView(layer, outer, context, { kind, hidesChildren }) {
  // A view of scale 0 has no inside.
  if (!layer.scale) return null;
  const point = pointInside(layer, outer);
  const inside = hidesChildren
    ? null
    : frontmost(layer.children, (component) => hitComponent(component, point, context));
  if (inside) return inside;
  const isHit = takesTouches(kind, layer) && contains(layer, point);
  return isHit ? { component: layer.component, view: layer.view } : null;
}

/** The point's place in a view's untransformed box, from its top left corner. */
function pointInside({ left, top, w, h, rotation, scale }, { x, y }) {
  const dx = x - left - w / 2;
  const dy = y - top - h / 2;
  const cos = Math.cos(rotation) / scale;
  const sin = Math.sin(rotation) / scale;
  return { x: dx * cos + dy * sin + w / 2, y: dy * cos - dx * sin + h / 2 };
}

function contains({ w, h, round }, { x, y }) {
  if (round) return Math.hypot(x - w / 2, y - h / 2) < w / 2;
  return x >= 0 && x < w && y >= 0 && y < h;
}

function takesTouches(kind, { view, children, alpha }) {
  switch (kind) {
    case "toss":
      return view === "item";
    case "tips":
      return view === "tip";
    case "label":
      return false;
    case "panel":
      return view === "backdrop" ? alpha >= 0.01 : view !== "content";
    case "tabs":
      // A page that the scene puts nothing into takes nothing.
      if (view.startsWith("page-")) return children.length > 0;
      return view === "bar" || view.startsWith("item-");
    default:
      return true;
  }
}
