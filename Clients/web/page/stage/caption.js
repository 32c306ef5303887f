// The line under the stage: a hint, unless there is something to be told.

import { hint } from "./hints.js";

// Milliseconds for which a message stays under the stage.
const HOLD = 6_000;

export class Caption {
  #element;
  #client;
  #stage;
  #keeper;
  #heldUntil = 0;
  #timer = 0;
  // Whether a message stands there, and no hint.
  #isTold = false;

  /** While something plays, its own captions stay; a hint follows what is shown then too. */
  isPlaying = () => false;

  constructor(element, client, stage, keeper) {
    this.#element = element;
    this.#client = client;
    client.addEventListener("state", () => this.guide());
    client.addEventListener("web", () => this.guide());
    this.#stage = stage;
    this.#keeper = keeper;
    keeper.addEventListener("fault", () => this.guide());
    stage.addEventListener("drawn", () => this.guide());
  }

  /** Shows a message, to which hints give way for a while. */
  tell(text) {
    this.#heldUntil = performance.now() + HOLD;
    clearTimeout(this.#timer);
    // At rest no picture comes that would bring the hint back.
    this.#timer = setTimeout(() => this.guide(), HOLD + 1);
    this.#isTold = true;
    this.#write(text);
  }

  /** Shows what is wrong, else a hint. */
  guide() {
    const { state, web } = this.#client;
    if (state === "open" && web?.daemon === false) {
      this.#show("The daemon is away. Everything goes on when it is back.");
    } else if (state === "waiting") {
      this.#show("The connection is lost. The page tries again by itself.");
    } else if (this.#keeper.fault) this.#show(this.#keeper.fault);
    else if (performance.now() > this.#heldUntil && !(this.#isTold && this.isPlaying())) {
      this.#show(hint(this.#stage));
    }
  }

  #show(text) {
    this.#isTold = false;
    this.#write(text);
  }

  #write(text) {
    if (this.#element.textContent !== text) this.#element.textContent = text;
  }
}
