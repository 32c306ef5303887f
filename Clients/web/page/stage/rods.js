// Rods, hooks and shelves: they hold a world together, and are no views.

import { h } from "../dom.js";

// Lines that one world may show; docs/protocol/dynamics.md has the bounds.
const LINES_MAX = 320;

/** Draws a world's attachments to fixed points, and its boundaries, behind its items. */
export function drawRods(node, component, state) {
  if (node.rodsOf !== component) {
    node.rodsOf = component;
    node.rods?.remove();
    node.rods = h("div", { class: "rods", "aria-hidden": "true" });
    node.element.prepend(node.rods);
    node.lines = lines(component.parameters.behaviors).slice(0, LINES_MAX);
    for (const line of node.lines) {
      line.element = h("i", { class: line.kind });
      node.rods.append(line.element);
      if (line.from && line.to) stretch(line.element, line.from, line.to);
    }
  }
  for (const line of node.lines) {
    if (!line.item) continue;
    const view = state.views[line.item];
    line.element.hidden = !view;
    if (!view) continue;
    const [u, v] = line.offset;
    const [cos, sin] = [Math.cos(view.rotation), Math.sin(view.rotation)];
    stretch(line.element, line.from, [view.x + u * cos - v * sin, view.y + u * sin + v * cos]);
  }
}

function lines(behaviors) {
  const found = [];
  for (const one of behaviors ?? []) {
    if (one.kind === "attachment" && one.anchor && one.item && one.type !== "sliding") {
      found.push({ kind: "rod", item: one.item, from: one.anchor, offset: one.offset ?? [0, 0] });
    }
    for (const boundary of one.boundaries ?? []) {
      const points = boundary.path ?? [boundary.from, boundary.to];
      for (let index = 1; index < points.length; index += 1) {
        found.push({ kind: "shelf", from: points[index - 1], to: points[index] });
      }
    }
  }
  return found;
}

function stretch(element, [x, y], [toX, toY]) {
  const [dx, dy] = [toX - x, toY - y];
  element.style.width = `${Math.hypot(dx, dy).toFixed(2)}px`;
  element.style.transform =
    `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px) rotate(${Math.atan2(dy, dx).toFixed(5)}rad)`;
}
