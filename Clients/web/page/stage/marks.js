// Fingers as rings on the stage: our own, and those of recordings, until the session tells them.

import { h } from "../dom.js";

// Milliseconds until the ring of a finger that says nothing more is gone, as the daemon forgets it.
const SILENCE = 3_000;
// Rings at once: the fingers of three hands, and one more.
const MARKS_MAX = 16;

/** Shows the contacts that `take` is told of. */
export class Marks {
  #stage;
  #rings = new Map();
  // The numbers of the contacts that the session tells itself.
  #told = new Set();

  constructor(stage) { this.#stage = stage; }

  /** All contacts that the session tells: they are drawn as hands, and have no rings. */
  tell(touches) {
    this.#told = new Set(touches.map(({ pointer }) => pointer));
    for (const [key, { pointer, element, timer }] of this.#rings) {
      if (!this.#told.has(pointer)) continue;
      this.#rings.delete(key);
      clearTimeout(timer);
      element.remove();
    }
  }

  /** One event as it was published. */
  take(topic, body) {
    const [kind, session, component] = topic.split("/");
    if (kind !== "gesture" || session !== this.#stage.session?.name) return;
    if (body.gesture === "pointer" && this.#told.has(body.pointer)) return;
    if (typeof body.x !== "number" || typeof body.y !== "number") return;
    const point = this.#point(component, body.x, body.y);
    if (!point) return;
    if (body.phase === undefined) {
      this.#flash(point);
      return;
    }
    const key = `${component}/${body.gesture}/${body.pointer}`;
    if (body.phase === "ended" || body.phase === "cancelled") this.#lift(key);
    else this.#move(key, point, body.pointer);
  }

  /** A point of a component as one of the screen, in the window's points. */
  #point(component, x, y) {
    const { zoom, screen } = this.#stage;
    if (!component) return [x * zoom, y * zoom];
    const box = this.#stage.element(component)?.getBoundingClientRect();
    if (!box?.width) return [x * zoom, y * zoom];
    const outer = screen.getBoundingClientRect();
    return [box.left - outer.left + x * zoom, box.top - outer.top + y * zoom];
  }

  #move(key, [x, y], pointer = null) {
    let ring = this.#rings.get(key);
    if (!ring) {
      if (this.#rings.size >= MARKS_MAX) return;
      ring = { element: h("i", { class: "ring" }), timer: 0, pointer };
      this.#stage.marks.append(ring.element);
      this.#rings.set(key, ring);
    }
    ring.element.style.translate = `${x.toFixed(1)}px ${y.toFixed(1)}px`;
    clearTimeout(ring.timer);
    ring.timer = setTimeout(() => this.#lift(key), SILENCE);
  }

  #lift(key) {
    const ring = this.#rings.get(key);
    if (!ring) return;
    this.#rings.delete(key);
    clearTimeout(ring.timer);
    ring.element.classList.add("is-gone");
    setTimeout(() => ring.element.remove(), 350);
  }

  #flash(point) {
    const key = `tap ${Math.random()}`;
    this.#move(key, point);
    setTimeout(() => this.#lift(key), 90);
  }
}
