import { contentOf, textOf } from "./content.js";

/**
 * The boxes to paint, nested, from back to front, by docs/protocol/draw.md. Lengths
 * are points, and angles radians, clockwise.
 *
 * @param {object | null} scene
 * @param {Map<string, object>} states by component, as `session.at()` gives them
 * @param {string | null} [parent] with `slot`: only what lies in this slot of this component;
 *   without both: what lies in no slot
 * @param {string | null} [slot] the name of the view that is the slot
 * @returns {object[]} what `gestured.d.ts` calls `Layer`
 */
export function layers(scene, states, parent = null, slot = null) {
  return (scene?.components ?? [])
    .filter((component) => component.parent === parent && component.slot === slot)
    .filter((component) => states.has(component.id))
    .map((component) => componentLayer(scene, states, component));
}

function componentLayer(scene, states, component) {
  const { id, frame: [left, top, w, h], clip, content } = component;
  const state = states.get(id);
  const children = Object.keys(state.views)
    .map((view) => viewLayer(scene, states, component, view))
    .sort((a, b) => a.z - b.z);
  return {
    key: id, component: id, view: null,
    left, top, w, h, rotation: 0, scale: 1, alpha: 1, round: false, clip,
    content, text: textOf(component, state, null, content), children,
  };
}

function viewLayer(scene, states, component, view) {
  const { id, kind, parameters } = component;
  const state = states.get(id);
  const place = state.views[view];
  const content = contentOf(component, state, view);
  const isCircle = kind === "dynamics"
    && parameters.items?.find((item) => item.id === view)?.shape === "circle";
  return {
    ...place,
    key: `${id}/${view}`, component: id, view,
    left: place.x - place.w / 2, top: place.y - place.h / 2, round: Boolean(isCircle), clip: false,
    content, text: textOf(component, state, view, content),
    children: layers(scene, states, id, view),
  };
}
