// How the connection is: round trip, frames, the way from a touch to its picture, gaps.

import { h } from "../dom.js";

// Milliseconds between two measurements; a figure for a person need not be newer.
const EVERY = 1_000;
// Round trips of which the middle one is shown, so that one slow turn does not flicker.
const KEPT = 5;
// Milliseconds for which the latency of the last touch stays.
const STAYS = 4_000;
// A larger difference is another machine's clock, and no latency.
const LATENCY_MAX = 2_000;

/** A row of figures about the session of a stage. */
export class Vitals {
  #figures = {};
  #trips = [];
  #frames = 0;
  #touch = { at: -Infinity, value: null };

  constructor(client, stage) {
    this.element = h("dl", { class: "vitals" });
    for (const [key, name, unit] of [["trip", "Round trip", "ms"], ["frames", "Frames", "/s"],
      ["touch", "Touch to frame", "ms"], ["gaps", "Gaps", ""]]) {
      const value = h("b", {}, "–");
      this.#figures[key] = value;
      this.element.append(h("div", {}, h("dt", {}, name),
        h("dd", {}, value, unit ? h("small", {}, unit) : null)));
    }
    setInterval(() => this.#measure(client, stage), EVERY);
  }

  /** Follows another session. */
  follow(session) {
    this.#touch = { at: -Infinity, value: null };
    const inputs = new Map();
    session.addEventListener("frame", ({ detail }) => {
      this.#frames += 1;
      for (const { component, input } of detail.states) {
        // Later states repeat the newest touch; only the first picture of it tells the way.
        if (input === undefined || inputs.get(component) === input) continue;
        inputs.set(component, input);
        const value = performance.timeOrigin + performance.now() - input;
        if (value >= 0 && value < LATENCY_MAX) this.#touch = { at: performance.now(), value };
      }
    });
  }

  async #measure(client, stage) {
    const rate = this.#frames;
    this.#frames = 0;
    this.#show("frames", String(rate));
    this.#show("gaps", String(stage.session?.gaps ?? 0));
    const { at, value } = this.#touch;
    this.#show("touch", performance.now() - at < STAYS ? figure(value) : "–");
    if (document.hidden || client.state !== "open" || !client.web?.daemon) {
      if (client.state !== "open") this.#show("trip", "–");
      return;
    }
    const start = performance.now();
    try {
      await client.request("time");
    } catch {
      this.#show("trip", "–");
      return;
    }
    this.#trips = [...this.#trips, performance.now() - start].slice(-KEPT);
    const sorted = this.#trips.toSorted((a, b) => a - b);
    this.#show("trip", figure(sorted[Math.floor(sorted.length / 2)]));
  }

  #show(key, text) {
    if (this.#figures[key].textContent !== text) this.#figures[key].textContent = text;
  }
}

const figure = (value) => (value < 10 ? value.toFixed(1) : String(Math.round(value)));
