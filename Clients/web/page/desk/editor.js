// The scene of the session as text, applied while it is written.

import { h } from "../dom.js";
import { JSONMistake, read } from "./json.js";
import { debounced } from "../loop.js";

// Milliseconds without a key until the text is applied.
const PAUSE = 400;
// Letters that are colored; a longer text is shown plain, so that typing stays quick.
const COLORED_MAX = 60_000;
// Letters of one line up to which short lists stay on it.
const LINE = 76;
// Texts that are kept for sessions which are not shown; the oldest goes.
const UNSENT_MAX = 16;

/**
 * A scene's text with its mistakes; a text without any is sent as `update`. Where the scene was
 * changed elsewhere meanwhile, nothing is sent until the person has chosen between both.
 */
export class Editor {
  #client;
  #stage;
  #applied = null;
  // The revision of the scene that the text was made from, and the newest that was heard of.
  #revision = null;
  #newest = null;
  // The session whose scene it is, and texts of others that were not sent, by their sessions.
  #name = null;
  #unsent = new Map();

  constructor(client, stage) {
    this.#client = client;
    this.#stage = stage;
    this.text = h("textarea", { class: "code", spellcheck: "false", autocomplete: "off",
      wrap: "off", id: "scene-text", "aria-label": "Scene as JSON",
      "aria-describedby": "scene-fault" });
    this.colors = h("pre", { class: "colors", "aria-hidden": "true" });
    this.numbers = h("ol", { class: "numbers", "aria-hidden": "true" });
    this.fault = h("p", { class: "fault", id: "scene-fault", role: "status" });
    this.again = h("button", { class: "button is-small", type: "button", id: "read-scene",
      "data-needs-daemon": "", click: () => this.load() }, "Read the session's scene");
    this.over = h("button", { class: "button is-small", type: "button", hidden: true,
      id: "overwrite", "data-needs-daemon": "", click: () => this.#overwrite() },
    "Overwrite it with this text");
    this.element = h("div", { class: "editor" },
      h("div", { class: "row-of-tools" }, this.again, this.over, this.fault),
      h("div", { class: "paper" }, this.numbers, h("div", { class: "inked" },
        this.colors, this.text)));
    const apply = debounced(PAUSE, () => this.#apply());
    this.text.addEventListener("input", () => {
      this.#color();
      apply();
    });
    // What was written while the daemon was away is sent once it is back.
    client.addEventListener("web", () => {
      if (client.web.daemon && this.#isUnsent) apply();
    });
    this.text.addEventListener("scroll", () => this.#scroll());
    this.text.addEventListener("keydown", (event) => indent(event, this.text));
  }

  /** Follows another session. A text that was not sent comes back with its own session. */
  follow(session) {
    this.#keepUnsent();
    this.#name = session.name;
    const kept = this.#unsent.get(session.name);
    this.#applied = kept?.applied ?? null;
    this.#revision = kept?.revision ?? null;
    this.#newest = null;
    if (kept) {
      this.text.value = kept.text;
      this.#color();
    }
    session.addEventListener("scene", ({ detail }) => {
      if (session !== this.#stage.session) return;
      this.#newest = detail?.revision ?? null;
      if (detail && !this.#sending) this.#look();
    });
    this.over.hidden = true;
  }

  #keepUnsent() {
    if (this.#name === null) return;
    this.#unsent.delete(this.#name);
    const text = this.text.value;
    if (this.#applied === null || text === this.#applied) return;
    this.#unsent.set(this.#name, { text, applied: this.#applied, revision: this.#revision });
    if (this.#unsent.size > UNSENT_MAX) this.#unsent.delete(this.#unsent.keys().next().value);
  }

  // The scene may be another one than the text was made from.
  #look() {
    if (this.#newest === null || this.#newest === this.#revision) return;
    const isWritten = this.#applied !== null && this.text.value !== this.#applied;
    if (isWritten) this.#conflict();
    else if (this.element.offsetParent) this.load();
    else this.#applied = null;
  }

  #conflict() {
    this.over.hidden = false;
    this.#tell("The scene was changed elsewhere. Read it, and this text is gone; or overwrite it.",
      null);
  }

  #overwrite() {
    this.#revision = this.#newest;
    this.over.hidden = true;
    this.#apply();
    this.text.focus();
  }

  /** Called when the editor comes to be seen. */
  show() {
    if (this.#applied === null) this.load();
  }

  #sending = false;
  #isUnsent = false;

  /** Reads the session's scene from the daemon. */
  async load() {
    const { session, scene } = this.#stage;
    if (!session) return;
    const before = this.#newest ?? scene?.revision ?? null;
    try {
      const { document: whole } = await this.#client.request("export", { session: session.name });
      if (session !== this.#stage.session) return;
      const { selectionStart, selectionEnd, scrollTop } = this.text;
      this.text.value = layOut(whole.scene);
      this.text.setSelectionRange(selectionStart, selectionEnd);
      this.text.scrollTop = scrollTop;
      this.#applied = this.text.value;
      // A change that came while this was asked for may not be in it: then it is read once more.
      this.#revision = before;
      this.over.hidden = true;
      this.#color();
      this.#tell("", null);
    } catch (error) {
      this.#tell(error.message, null);
    }
  }

  async #apply() {
    if (this.text.value === this.#applied) {
      this.over.hidden = true;
      this.#tell("", null);
      return this.#look();
    }
    let found;
    try {
      found = read(this.text.value);
    } catch (error) {
      if (!(error instanceof JSONMistake)) throw error;
      return this.#tell(`Line ${error.line}, column ${error.column}: ${error.message}`, error.line);
    }
    this.#isUnsent = this.#client.web?.daemon === false;
    if (this.#isUnsent) return this.#tellUnsent();
    const text = this.text.value;
    const { session } = this.#stage;
    this.#sending = true;
    try {
      // The daemon refuses the text where another page's change has come first.
      const revision = this.#revision ?? await this.#askRevision(session);
      await this.#client.acknowledged(`command/${session.name}`,
        { command: "update", scene: found.value, revision });
      this.#applied = text;
      this.#revision = revision + 1;
      this.#tell("Applied", null);
    } catch (error) {
      this.#isUnsent = error.code === "unavailable";
      if (this.#isUnsent) return this.#tellUnsent();
      if (error.code === "bad-value" && await this.#isChangedElsewhere(session)) {
        return this.#conflict();
      }
      const path = place(error.message, found.value);
      const line = path && found.line(path);
      this.#tell(`${line ? `Line ${line}: ` : ""}${error.message}`, line);
    } finally {
      this.#sending = false;
      if (this.#newest > this.#revision) this.#look();
    }
  }

  #tellUnsent() {
    this.#tell("Not applied yet: the daemon does not answer.", null);
  }

  async #askRevision(session) {
    const { scene } = await this.#client.request("scene", { session: session.name });
    this.#newest = scene.revision;
    return scene.revision;
  }

  async #isChangedElsewhere(session) {
    try {
      return await this.#askRevision(session) !== this.#revision;
    } catch {
      return false;
    }
  }

  #tell(message, line) {
    this.fault.textContent = message;
    this.fault.classList.toggle("is-wrong", Boolean(message) && message !== "Applied");
    this.text.setAttribute("aria-invalid", String(this.fault.classList.contains("is-wrong")));
    this.wrong = line;
    this.#number();
    if (line && document.activeElement !== this.text) this.#reveal(line);
  }

  #reveal(line) {
    const height = this.text.scrollHeight / this.text.value.split("\n").length;
    this.text.scrollTop = Math.max(0, (line - 4) * height);
  }

  #color() {
    const { value } = this.text;
    this.colors.replaceChildren(...(value.length <= COLORED_MAX ? inked(value) : [value]), "\n");
    this.#number();
    this.#scroll();
  }

  #number() {
    const lines = this.text.value.split("\n").length;
    while (this.numbers.children.length > lines) this.numbers.lastChild.remove();
    while (this.numbers.children.length < lines) this.numbers.append(h("li"));
    this.numbers.querySelector(".is-wrong")?.classList.remove("is-wrong");
    if (this.wrong) this.numbers.children[this.wrong - 1]?.classList.add("is-wrong");
  }

  #scroll() {
    this.colors.style.transform =
      `translate(${-this.text.scrollLeft}px, ${-this.text.scrollTop}px)`;
    this.numbers.style.transform = `translateY(${-this.text.scrollTop}px)`;
  }
}

// The lists of a scene by the words with which the daemon names their entries.
const LISTS = { component: "components", reaction: "reactions", item: "items",
  behavior: "behaviors", boundary: "boundaries", action: "menu", tip: "tips", row: "rows",
  anchor: "anchors", screen: "screens", page: "pages" };

/**
 * Where the daemon's sentence points: a path of keys into the scene, or null. The sentence begins
 * as `component sheet, anchor 2, key at: …`, with ids or numbers from 1.
 */
export function place(message, scene) {
  const path = [];
  let inside = scene;
  const enter = (key) => {
    path.push(key);
    inside = inside?.[key];
  };
  for (const part of message.split(": ", 1)[0].split(", ")) {
    const [, word, name] = /^([\w-]+)(?: ([\w.~-]+))?$/.exec(part) ?? [];
    if (!word || word === "key" || word === "unknown") break;
    enter(LISTS[word] ?? word);
    if (!name) continue;
    const index = Array.isArray(inside) ? inside.findIndex((one) =>
      one?.id === name || one?.name === name) : -1;
    enter(index < 0 ? Number(name) - 1 : index);
  }
  const key = /key ([\w.~-]+):/.exec(message) ?? /unknown key "([^"]*)"/.exec(message);
  if (key) path.push(key[1]);
  return path.length ? path : null;
}

/** JSON whose short lists and tables stay on one line. */
export function layOut(value, depth = 0) {
  const flat = JSON.stringify(value);
  if (value === null || typeof value !== "object" || (depth > 0 && flat.length + depth * 2 <= LINE
    && Object.values(value).every((one) => one === null || typeof one !== "object"))) {
    return Array.isArray(value) || typeof value !== "object" || value === null
      ? flat.replaceAll(/,(?=[\d-])/g, ", ")
      : `{ ${Object.entries(value).map(([key, one]) =>
        `${JSON.stringify(key)}: ${JSON.stringify(one)}`).join(", ")} }`.replace("{  }", "{}");
  }
  const indent_ = "  ".repeat(depth + 1);
  const parts = Array.isArray(value) ? value.map((one) => indent_ + layOut(one, depth + 1))
    : ordered(value).map(([key, one]) =>
      `${indent_}${JSON.stringify(key)}: ${layOut(one, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return parts.length ? `${open}\n${parts.join(",\n")}\n${"  ".repeat(depth)}${close}`
    : open + close;
}

// Keys that name a thing come first, for those who read.
const FIRST = ["name", "viewport", "id", "kind", "in", "frame"];
const rank = (key) => (FIRST.includes(key) ? FIRST.indexOf(key) : FIRST.length);
const ordered = (table) => Object.entries(table).toSorted(([a], [b]) => rank(a) - rank(b));

function* inked(text) {
  const parts = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*|true|false|null)/g;
  let from = 0;
  for (const match of text.matchAll(parts)) {
    if (match.index > from) yield text.slice(from, match.index);
    const [whole, string, colon, value] = match;
    yield h("span", { class: value ? "is-value" : colon ? "is-key" : "is-text" },
      value ?? string);
    if (colon) yield colon;
    from = match.index + whole.length;
  }
  yield text.slice(from);
}

/** Tab indents while Escape has not just been pressed, so that keyboards can leave. */
function indent(event, text) {
  if (event.key === "Escape") text.dataset.leaving = "";
  else if (event.key === "Tab" && !event.shiftKey && text.dataset.leaving === undefined) {
    event.preventDefault();
    text.setRangeText("  ", text.selectionStart, text.selectionEnd, "end");
    text.dispatchEvent(new Event("input"));
  } else if (event.key !== "Tab") delete text.dataset.leaving;
}
