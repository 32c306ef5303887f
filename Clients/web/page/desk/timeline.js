// The last seconds, a lane for each component: bands, badges, rejections.

import { calm, h } from "../dom.js";
import { wake } from "../loop.js";

// Milliseconds that the timeline shows.
const SPAN = 12_000;
// Points of a lane, of its band, and of the names at the left.
const LANE = 24, BAND = 15, NAMES = 92;
// Milliseconds between two pictures: while something moves, and while marks only drift away.
const QUICK = 30, SLOW = 250;
// Marks that one lane remembers: far more than happens in the span.
const KEPT_MAX = 200;

/** A rolling picture of a session's transitions. */
export class Timeline {
  #lanes = new Map();
  #changed = true;
  #last = 0;
  #movedAt = -Infinity;
  #timer = 0;
  // Whether later pictures would be the same, unless something happens.
  #isStill = false;

  constructor() {
    this.element = h("canvas", { class: "timeline", role: "img",
      "aria-label": "Timeline of transitions; the list below says the same in words" });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.#touch();
    });
    new ResizeObserver(() => this.#touch()).observe(this.element);
  }

  /** Something is to be drawn. */
  #touch() {
    this.#changed = true;
    this.#isStill = false;
    wake();
  }

  /** Follows another session. */
  follow(session) {
    const name = (id) => this.#lane(id);
    const build = () => {
      this.#lanes.clear();
      for (const { id } of session.scene?.components ?? []) name(id);
      name("badges").isNote = true;
      name("rejected").isNote = true;
      this.element.style.height = `${this.#lanes.size * LANE + 22}px`;
      this.#touch();
    };
    session.addEventListener("scene", build);
    session.addEventListener("frame", ({ detail }) => {
      for (const { component } of detail.states) this.#move(component);
    });
    session.addEventListener("transition", ({ detail }) => this.#pass(detail));
    let version = null;
    session.addEventListener("badge", ({ detail }) => {
      const isFirst = version === null;
      if (detail.version !== version && !isFirst) this.note("badges", String(detail.total));
      version = detail.version;
    });
    session.addEventListener("rejected", ({ detail }) => this.note("rejected", detail.code));
    build();
  }

  #lane(id) {
    this.#movedAt = performance.now();
    this.#isStill = false;
    wake();
    if (!this.#lanes.has(id)) this.#lanes.set(id, { bands: [], moves: [], notes: [] });
    return this.#lanes.get(id);
  }

  /** A mark on a lane: a badge's total, a refusal's code. */
  note(id, text) {
    const { notes } = this.#lane(id);
    notes.push({ at: performance.now(), text });
    if (notes.length > KEPT_MAX) notes.shift();
  }

  // A component that moves sends a state each frame: near ones are one stretch.
  #move(id) {
    const { moves } = this.#lane(id);
    const now = performance.now();
    const last = moves.at(-1);
    if (last && now - last.to < 120) last.to = now;
    else moves.push({ from: now, to: now });
    if (moves.length > KEPT_MAX) moves.shift();
  }

  #pass({ component, name, event }) {
    const { bands } = this.#lane(component);
    const at = performance.now();
    if (event === "began") {
      bands.push({ name, from: at, to: null });
      if (bands.length > KEPT_MAX) bands.shift();
      return;
    }
    const band = bands.findLast((one) => one.name === name && one.to === null);
    if (band) Object.assign(band, { to: at, isCancelled: event === "cancelled" });
  }

  /**
   * Draws; with less motion, twice a second. False: it needs no picture before it wakes the loop.
   */
  paint(now) {
    const { element } = this;
    if (!element.clientWidth || this.#isStill) return false;
    const isQuick = now - this.#movedAt < 2 * SLOW;
    const pause = calm() ? 2 * SLOW : isQuick ? QUICK : SLOW;
    const left = pause - (now - this.#last);
    if (left > 0 && !this.#changed) return isQuick && !calm() ? true : this.#later(left);
    this.#last = now;
    const lists = [...this.#lanes.values()].flatMap(({ bands, moves, notes }) =>
      [alive(bands, now), alive(moves, now), alive(notes, now)]);
    this.#isStill = lists.flat().every((one) => fills(one, now));
    this.#draw(now);
    return isQuick && !calm() ? true : this.#later(pause);
  }

  #later(milliseconds) {
    clearTimeout(this.#timer);
    if (!this.#isStill) this.#timer = setTimeout(wake, milliseconds);
    return false;
  }

  #draw(now) {
    const { element } = this;
    const ratio = Math.min(devicePixelRatio, 2);
    const [width, height] = [element.clientWidth, element.clientHeight];
    const pixels = [width, height].map((length) => Math.round(length * ratio));
    if (element.width !== pixels[0] || element.height !== pixels[1]) {
      [element.width, element.height] = pixels;
      this.#changed = true;
    }
    const pen = element.getContext("2d");
    if (this.#changed) this.#colors = colors(element);
    this.#changed = false;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = this.#colors.font;
    pen.textBaseline = "middle";
    this.#grid(pen, width, height);
    let top = 0;
    for (const [id, lane] of this.#lanes) {
      this.#paintLane(pen, id, lane, top, width, now);
      top += LANE;
    }
  }

  #colors = {};

  #grid(pen, width, height) {
    pen.fillStyle = this.#colors.soft;
    pen.strokeStyle = this.#colors.line;
    pen.lineWidth = 1;
    const second = (width - NAMES) / SPAN * 1000;
    for (let back = 0; back <= SPAN / 1000; back += 2) {
      const x = Math.round(width - back * second) - 0.5;
      pen.beginPath();
      pen.moveTo(x, 0);
      pen.lineTo(x, height - 18);
      pen.stroke();
      pen.textAlign = back === 0 ? "right" : "center";
      pen.fillText(back === 0 ? "now" : `${back} s`, x, height - 8);
    }
    pen.textAlign = "left";
  }

  #paintLane(pen, id, lane, top, width, now) {
    const { ink, soft, line, accent, tint, band: fill } = this.#colors;
    const middle = top + LANE / 2;
    const at = (time) => Math.max(NAMES, width - (now - time) / SPAN * (width - NAMES));
    pen.fillStyle = lane.isNote ? soft : ink;
    pen.fillText(clipped(pen, id, NAMES - 14), 0, middle);
    pen.strokeStyle = line;
    pen.beginPath();
    pen.moveTo(NAMES, middle);
    pen.lineTo(width, middle);
    pen.stroke();
    for (const { from, to } of alive(lane.moves, now)) {
      pen.fillStyle = soft;
      pen.fillRect(at(from), middle - 1, Math.max(2, at(to) - at(from)), 2);
    }
    for (const { name, from, to, isCancelled } of alive(lane.bands, now)) {
      const x = at(from);
      const w = Math.max(3, at(to ?? now) - x);
      pen.fillStyle = to === null ? accent : isCancelled ? tint : fill;
      pen.beginPath();
      pen.roundRect(x, middle - BAND / 2, w, BAND, 3);
      pen.fill();
      pen.fillStyle = to === null ? this.#colors.on : ink;
      if (w > 24) pen.fillText(clipped(pen, name, w - 10), x + 5, middle + 0.5);
    }
    for (const { at: when, text } of alive(lane.notes, now)) {
      pen.fillStyle = accent;
      pen.beginPath();
      pen.arc(at(when), middle, 4, 0, 7);
      pen.fill();
      pen.fillStyle = ink;
      pen.fillText(text, at(when) + 8, middle + 0.5);
    }
  }
}

/** The marks that still show; the rest is forgotten. */
function alive(list, now) {
  const end = (one) => one.at ?? one.to ?? now;
  while (list.length && end(list[0]) < now - SPAN) list.shift();
  return list.filter((one) => end(one) >= now - SPAN);
}

/** Whether a band fills its lane and goes on, as the touch of items that lie on each other. */
function fills({ from, to }, now) {
  return to === null && from < now - SPAN;
}

function clipped(pen, text, width) {
  if (pen.measureText(text).width <= width) return text;
  let end = text.length;
  while (end > 1 && pen.measureText(`${text.slice(0, end)}…`).width > width) end -= 1;
  return end > 1 ? `${text.slice(0, end)}…` : "";
}

function colors(element) {
  const style = getComputedStyle(element);
  const value = (name) => style.getPropertyValue(name).trim();
  return {
    ink: value("--ink"), soft: value("--soft"), line: value("--line"), accent: value("--accent"),
    tint: value("--tint"), on: value("--on-accent"), band: value("--band"),
    font: `500 12px ${value("--sans")}`,
  };
}
