// The line under the stage: a hint, unless there is something to be told.

import { hint } from "./hints.js";

// Milliseconds for which a message stays under the stage.
const HOLD = 6_000;

export class Caption {
  #element;
  #stage;
  #keeper;
  #heldUntil = 0;

  /** While something plays, its own captions stay. */
  isPlaying = () => false;

  constructor(element, stage, keeper) {
    this.#element = element;
    this.#stage = stage;
    this.#keeper = keeper;
    keeper.addEventListener("fault", () => this.guide());
    stage.addEventListener("drawn", () => this.guide());
  }

  /** Shows a message, to which hints give way for a while. */
  tell(text) {
    this.#heldUntil = performance.now() + HOLD;
    this.#show(text);
  }

  /** Shows what is wrong, else a hint. */
  guide() {
    if (this.#keeper.fault) this.#show(this.#keeper.fault);
    else if (performance.now() > this.#heldUntil && !this.isPlaying()) {
      this.#show(hint(this.#stage));
    }
  }

  #show(text) {
    if (this.#element.textContent !== text) this.#element.textContent = text;
  }
}
