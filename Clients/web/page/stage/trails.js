// Traces of what moves, as chronophotographs show it: outlines that stay for a moment.

import { h } from "../dom.js";

// Milliseconds: between two outlines, and until one is gone.
const STEP = 45;
const FADE = 900;
// Points around the screen on which traces show what has left it.
const MARGIN = 120;
// Outlines at once, so that a full world stays cheap; the oldest go first.
const OUTLINES_MAX = 240;
// Views of one component that leave traces at one instant: a scrolled list would only blur.
const VIEWS_MAX = 6;
// The part of the viewport above which a view is a page, whose outline would only cover things.
const PAGE = 0.55;

export class Trails {
  #stage;
  #outlines = [];
  #before = new Map();
  #last = 0;
  #isClear = true;

  on = false;

  constructor(stage) {
    this.#stage = stage;
    this.element = h("canvas", { class: "trails", "aria-hidden": "true" });
  }

  /** Whether nothing of it shows, nor will without another move. */
  get isClear() { return this.#isClear && !this.#outlines.length; }

  clear() {
    this.#outlines = [];
    this.#before.clear();
  }

  /** Notes the outlines of what has moved since the last time. */
  take(now, tree) {
    if (!this.on || now - this.#last < STEP) return;
    this.#last = now;
    for (const layer of tree) this.#visit(layer, { a: 1, b: 0, x: 0, y: 0 }, now);
    if (this.#outlines.length > OUTLINES_MAX) {
      this.#outlines.splice(0, this.#outlines.length - OUTLINES_MAX);
    }
  }

  #visit(layer, outer, now) {
    const inner = within(outer, layer);
    const views = layer.children.filter((child) => child.view !== null);
    const moved = layer.view === null ? views.filter((child) => this.#hasMoved(child)) : [];
    if (moved.length <= VIEWS_MAX) {
      for (const child of moved) {
        const place = within(inner, child);
        this.#outlines.push({ at: now, round: child.round, points: corners(place, child) });
      }
    }
    for (const child of layer.children) this.#visit(child, inner, now);
  }

  #hasMoved({ key, left, top, rotation, scale, alpha, w, h: height }) {
    const place = `${left.toFixed(1)} ${top.toFixed(1)} ${rotation.toFixed(3)} ${scale.toFixed(3)}`;
    const before = this.#before.get(key);
    this.#before.set(key, place);
    const [width, tall] = this.#stage.scene.viewport;
    const isThing = w * height > 300 && w * height < PAGE * width * tall;
    return before !== undefined && before !== place && alpha > 0 && isThing;
  }

  /** Draws what is still to be seen. */
  paint(now) {
    while (this.#outlines.length && now - this.#outlines[0].at > FADE) this.#outlines.shift();
    if (!this.#outlines.length && this.#isClear) return;
    const { element } = this;
    const { zoom, screen } = this.#stage;
    const ratio = Math.min(devicePixelRatio, 2);
    const width = Math.round((screen.clientWidth + 2 * MARGIN) * ratio);
    const height = Math.round((screen.clientHeight + 2 * MARGIN) * ratio);
    if (element.width !== width) element.width = width;
    if (element.height !== height) element.height = height;
    const pen = element.getContext("2d");
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, width, height);
    this.#isClear = !this.#outlines.length;
    pen.setTransform(zoom * ratio, 0, 0, zoom * ratio, MARGIN * ratio, MARGIN * ratio);
    pen.strokeStyle = getComputedStyle(element).color;
    pen.lineWidth = 1.2 / zoom;
    for (const { at, points, round } of this.#outlines) {
      pen.globalAlpha = 0.75 * (1 - (now - at) / FADE) ** 1.5;
      pen.beginPath();
      if (round) circle(pen, points);
      else for (const [x, y] of points) pen.lineTo(x, y);
      pen.closePath();
      pen.stroke();
    }
  }
}

function circle(pen, [first, second, third]) {
  const radius = Math.hypot(second[0] - first[0], second[1] - first[1]) / 2;
  pen.arc((first[0] + third[0]) / 2, (first[1] + third[1]) / 2, radius, 0, 2 * Math.PI);
}

/** The similarity that a layer's inside has: (u, v) is at (a·u − b·v + x, b·u + a·v + y). */
function within(outer, { left, top, w, h: height, rotation, scale }) {
  const [a, b] = [scale * Math.cos(rotation), scale * Math.sin(rotation)];
  const [x, y] = [left + w / 2 - (a * w - b * height) / 2,
    top + height / 2 - (b * w + a * height) / 2];
  return {
    a: outer.a * a - outer.b * b, b: outer.b * a + outer.a * b,
    x: outer.a * x - outer.b * y + outer.x, y: outer.b * x + outer.a * y + outer.y,
  };
}

function corners({ a, b, x, y }, { w, h: height }) {
  return [[0, 0], [w, 0], [w, height], [0, height]]
    .map(([u, v]) => [a * u - b * v + x, b * u + a * v + y]);
}
