// All hands on a session as discs on the stage, each in the color of its person.

import { h } from "../dom.js";

/** Shows the contacts that a session tells. */
export class Hands {
  #stage;
  #discs = new Map();

  constructor(stage) { this.#stage = stage; }

  /** All contacts that are down. */
  show(touches) {
    const down = new Set(touches.map(({ pointer }) => pointer));
    for (const pointer of this.#discs.keys()) if (!down.has(pointer)) this.#lift(pointer);
    for (const touch of touches) this.#place(touch);
  }

  #place({ pointer, x, y, color, user }) {
    let disc = this.#discs.get(pointer);
    if (!disc) {
      disc = h("i", { class: "ring hand" }, user ? h("b", {}, user) : null);
      this.#stage.marks.append(disc);
      this.#discs.set(pointer, disc);
    }
    disc.style.setProperty("--hand", color);
    // By the stage's own scale, so that a window of another size needs no new frame.
    disc.style.translate = `calc(${x}px * var(--zoom)) calc(${y}px * var(--zoom))`;
  }

  #lift(pointer) {
    const disc = this.#discs.get(pointer);
    this.#discs.delete(pointer);
    disc.classList.add("is-gone");
    setTimeout(() => disc.remove(), 350);
  }
}
