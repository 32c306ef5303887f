// Draws a session from its scene and its frames alone, and touches it.

import { capture, layers } from "../../gestured.js";
import { h } from "../dom.js";
import { wake } from "../loop.js";
import { Hands } from "./hands.js";
import { dress, look } from "./looks.js";
import { modalOf } from "./hints.js";
import { Marks } from "./marks.js";
import { drawRods } from "./rods.js";
import { Trails } from "./trails.js";
import { walk } from "./keys.js";

// Milliseconds after the last frame from which nothing lies between two frames any more: some
// frames of the slowest rate.
const SETTLED = 150;
// Pictures after which a view that stands still is painted with the others again.
const STILL = 20;
// The person at this page, as its address says: /?user=anna
const USER = new URLSearchParams(location.search).get("user") ?? "";

/** A phone, tablet or wall that shows one session. Fires "drawn" when a scene has come. */
export class Stage extends EventTarget {
  #client;
  #nodes = new Map();
  #generation = 0;
  // When the last frame came; null once it is drawn as it is.
  #frameAt = null;
  #ends = [];
  #components = new Map();
  #labelled;

  session = null;
  zoom = 1;
  /** Pictures drawn with something new in them, for those who measure. */
  drawn = 0;

  constructor(client, { label = "Stage", keys = true } = {}) {
    super();
    this.#client = client;
    this.#labelled = keys;
    this.canvas = h("div", { class: "canvas" });
    this.screen = h("div", { class: "screen", "aria-label": label, role: keys ? "group" : "img",
      tabindex: keys ? "-1" : null }, this.canvas);
    this.marks = h("div", { class: "marks", "aria-hidden": "true" });
    this.device = h("div", { class: "device" }, this.screen, this.marks);
    this.fingers = new Marks(this);
    this.hands = new Hands(this);
    this.trails = new Trails(this);
    this.device.append(this.trails.element);
    if (keys) walk(this);
  }

  /** Shows another session, and none if the name is null. */
  open(name) {
    this.close();
    if (name === null) return;
    this.session = this.#client.watch(name);
    const take = (event, task) => {
      this.session.addEventListener(event, task);
    };
    take("scene", () => {
      this.#follow();
      this.#wake();
    });
    take("frame", ({ detail }) => {
      // A hand that moves over what rests changes nothing in the picture.
      if (detail.states.length || detail.rows) this.#wake();
      this.#answer(detail);
    });
    take("joined", () => this.#wake());
    take("touches", ({ detail }) => this.#showHands(detail));
    // A name that the daemon would refuse is none.
    const user = /^[\w.~-]{1,64}$/.test(USER) ? USER : undefined;
    this.#ends.push(capture(this.screen, this.#client, name,
      (event) => this.toPoint(event.clientX, event.clientY), { user }));
    if (this.session.scene) this.#follow();
    this.#wake();
  }

  #showHands(touches) {
    this.hands.show(touches);
    this.fingers.tell(touches);
  }

  #wake() {
    this.#frameAt = performance.now();
    wake();
  }

  /** Whether the next picture would be the same as the last one. */
  get isResting() { return (this.#frameAt === null || !this.scene) && this.trails.isClear; }

  close() {
    for (const end of this.#ends.splice(0)) end();
    this.session?.close();
    this.session = null;
    this.#clear();
  }

  #clear() {
    this.trails.clear();
    this.#showHands([]);
    for (const node of this.#nodes.values()) node.element.remove();
    this.#nodes.clear();
  }

  get scene() { return this.session?.scene ?? null; }

  component(id) { return this.#components.get(id); }

  /** The element of a view, or of a component where `view` is null. */
  element(component, view = null) {
    for (const { element } of this.#nodes.values()) {
      if (element.dataset.component === component
        && (element.dataset.view ?? null) === view) return element;
    }
    return null;
  }

  /** The viewport's point at a point of the window. */
  toPoint(clientX, clientY) {
    const box = this.screen.getBoundingClientRect();
    const [w, h_] = this.scene?.viewport ?? [1, 1];
    return [(clientX - box.left) * w / box.width, (clientY - box.top) * h_ / box.height];
  }

  /** Sends a gesture as this page's hand does. */
  gesture(body) {
    return this.#client.publish(`gesture/${this.session.name}`, body);
  }

  /** Gives a component a command, as what content has for keyboards does. */
  command(component, body) {
    return this.#client.publish(`command/${this.session.name}/${component}`, body);
  }

  /** Takes as much of a box as the viewport's shape and `most` allow. */
  fit(width, height, most = 2) {
    this.room = [width, height, most];
    const [w, h_] = this.scene?.viewport ?? [320, 568];
    // Whole points across, so that no edge of a view is blurred over what lies behind it.
    const across = Math.max(16, Math.floor(Math.min(width, height / h_ * w, most * w)));
    this.zoom = across / w;
    this.device.style.setProperty("--w", `${across}px`);
    this.device.style.setProperty("--h", `${Math.floor(h_ * this.zoom)}px`);
    this.device.style.setProperty("--zoom", this.zoom);
    this.canvas.style.width = `${w}px`;
    this.canvas.style.height = `${h_}px`;
    this.canvas.style.transform = `scale(${this.zoom})`;
  }

  #follow() {
    const { scene } = this;
    if (!scene) {
      this.#clear();
      return;
    }
    this.#components = new Map(scene.components.map((one) => [one.id, one]));
    this.device.classList.toggle("is-wide", scene.viewport[0] > scene.viewport[1]);
    for (const node of this.#nodes.values()) node.key = null;
    this.canvas.style.background = "";
    if (scene.content?.background) this.canvas.style.background = "none";
    this.canvas.style.backgroundColor = scene.content?.background ?? "";
    if (this.room) this.fit(...this.room);
    this.dispatchEvent(new Event("drawn"));
  }

  /** Draws a frame that moves what a hand holds as it comes, and not at the next picture. */
  #answer({ states }) {
    const now = performance.now();
    const shown = this.session.at(now);
    const isNewest = ({ component }) =>
      shown.get(component) === this.session.states.get(component);
    if (this.scene && states.some(isNewest)) this.paint(now);
  }

  /** Draws what is to be seen now; false where nothing can have changed. */
  paint(now) {
    this.trails.paint(now);
    if (!this.scene || this.#frameAt === null) return false;
    this.#generation += 1;
    // However late the display comes, for example in a tab behind others, the last frame shows.
    const isSettled = now > this.#frameAt + SETTLED;
    if (isSettled) this.#frameAt = null;
    const states = isSettled ? this.session.states : this.session.at(now);
    this.modal = modalOf(this.scene, states)?.id ?? null;
    const tree = layers(this.scene, states);
    const refocus = focusKeeper(this.screen);
    this.#place(this.canvas, tree, states, 0);
    for (const [key, node] of this.#nodes) {
      if (node.generation !== this.#generation) {
        node.element.remove();
        this.#nodes.delete(key);
      }
    }
    refocus();
    this.trails.take(now, tree);
    this.drawn += 1;
    return true;
  }

  #place(parent, children, states, first) {
    let index = first;
    const order = readingOrder(children, states);
    for (const layer of order ?? children) {
      const node = this.#node(layer, states);
      node.generation = this.#generation;
      // Where the order of reading is another one, the order of painting is written down.
      const depth = order ? String(children.indexOf(layer)) : "";
      if (node.depth !== depth) node.element.style.zIndex = node.depth = depth;
      if (parent.childNodes[index] !== node.element) {
        parent.insertBefore(node.element, parent.childNodes[index] ?? null);
      }
      this.#move(node, layer);
      this.#place(node.element, layer.children, states, node.face ? 1 : node.rods ? 1 : 0);
      index += 1;
    }
  }

  #node(layer, states) {
    let node = this.#nodes.get(layer.key);
    if (!node) {
      node = { element: h("div", { class: layer.view === null ? "part" : "view" }) };
      node.element.dataset.component = layer.component;
      if (layer.view !== null) {
        node.element.dataset.view = layer.view;
        node.face = h("div");
        node.element.append(node.face);
      }
      this.#nodes.set(layer.key, node);
    }
    const component = this.#components.get(layer.component);
    const state = states.get(layer.component);
    if (layer.view === null) this.#part(node, component, state);
    else this.#dress(node, component, layer.view, state);
    return node;
  }

  #part(node, component, state) {
    if (component.kind === "dynamics") drawRods(node, component, state);
    if (node.key === component) return;
    node.key = component;
    // Rows end where a list has no more; its color goes on.
    node.element.style.backgroundColor = component.kind === "list" && !component.content.hidden
      ? component.content.background ?? "" : "";
    const role = component.kind === "list" && this.#labelled
      ? component.content.role ?? "list" : "";
    for (const [name, value] of [["role", role],
      ["aria-label", role && (component.content.label ?? component.id)]]) {
      if (value) node.element.setAttribute(name, value);
      else node.element.removeAttribute(name);
    }
  }

  #dress(node, component, view, state) {
    const now = look(component, view, state);
    const isBehind = this.modal !== null && component.id !== this.modal;
    const key = `${now.key}|${now.kind}|${isBehind}`;
    if (node.key === key) return;
    node.key = key;
    dress(node.face, this.#labelled ? { ...now, acts: now.acts && !isBehind } : bare(now));
    if (!this.#labelled) {
      for (const inner of node.face.querySelectorAll("[role]")) {
        for (const name of ["role", "tabindex", "aria-label"]) inner.removeAttribute(name);
      }
      return;
    }
    node.face.id = `${this.session.name}/${component.id}/${view}`;
    if (now.owns) {
      node.face.setAttribute("aria-owns",
        now.owns.map((one) => `${this.session.name}/${component.id}/${one}`).join(" "));
    }
    if (now.item && component.kind === "list") node.element.setAttribute("role", "listitem");
    if (isBehind) {
      for (const inner of node.face.querySelectorAll("[tabindex]")) inner.tabIndex = -1;
    }
  }

  #move(node, layer) {
    const { style } = node.element;
    const place = `translate(${round(layer.left)}px, ${round(layer.top)}px)`
      + (layer.rotation ? ` rotate(${layer.rotation.toFixed(5)}rad)` : "")
      + (layer.scale !== 1 ? ` scale(${layer.scale.toFixed(5)})` : "");
    if (node.place !== place) {
      // A view that has moved twice is likely to move on: it gets a picture of its own.
      if (node.movedAt > this.drawn - 3 && !node.moves) {
        node.moves = true;
        style.willChange = "transform";
      }
      node.movedAt = this.drawn;
      style.transform = node.place = place;
    } else if (node.moves && (this.#frameAt === null || node.movedAt < this.drawn - STILL)) {
      node.moves = false;
      style.willChange = "";
    }
    if (node.w !== layer.w) style.width = `${node.w = layer.w}px`;
    if (node.h !== layer.h) style.height = `${node.h = layer.h}px`;
    if (node.alpha !== layer.alpha) style.opacity = node.alpha = layer.alpha;
    if (node.clip !== layer.clip) {
      node.clip = layer.clip;
      style.overflow = layer.clip ? "clip" : "";
    }
    if (node.round !== layer.round && node.face) {
      node.round = layer.round;
      node.face.classList.toggle("is-round", layer.round);
    }
  }
}

/**
 * The order in which a list is read and walked through, or null where it is that of painting: rows
 * by their numbers, and the menu, which lies behind them, after its row.
 */
function readingOrder(children, states) {
  const menu = children.find(({ view }) => view === "menu");
  if (!menu) return null;
  const { row } = states.get(menu.component).model;
  const number = ({ view }) => (view === "menu" ? row + 0.5 : Number(view.slice("row-".length)));
  return children.toSorted((one, other) => number(one) - number(other));
}

/**
 * Notes what has the focus within a stage. The result gives it back where an element was moved or
 * drawn again; where it is gone, to the stage, so that the keyboard goes on from there.
 */
function focusKeeper(screen) {
  const focused = document.activeElement;
  if (!focused || focused === screen || !screen.contains(focused)) return () => {};
  const { id } = focused;
  const face = focused.closest(".face");
  const name = focused.getAttribute("aria-label");
  return () => {
    if (document.activeElement === focused && focused.isConnected) return;
    const again = focused.isConnected ? focused : document.getElementById(id || face?.id)
      ?.querySelector(`[tabindex="0"][aria-label="${CSS.escape(name ?? "")}"]`);
    again?.focus({ preventScroll: true });
    // What cannot act any more takes no focus.
    if (!again || document.activeElement !== again) screen.focus({ preventScroll: true });
  };
}

const round = (value) => Math.round(value * 1000) / 1000;

/** A look for a picture that is touched, but not walked through by keyboard. */
function bare(look) {
  const { kind, key, style, photo, draw, text } = look;
  return { kind, key, style, photo, draw, text };
}
