// JSON with its places: which line each key stands on, and where a mistake is.

// Deeper nesting than this is no scene, and would only exhaust the stack.
const DEPTH_MAX = 64;

/** A mistake in a text, at a line and a column from 1. */
export class JSONMistake extends Error {
  constructor(message, line, column) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

/** Reads a text. Gives its `value`, and `line(path)`, the line of the nearest known part. */
export function read(text) {
  const reader = new Reader(text);
  const value = reader.document();
  const line = (path) => {
    for (let length = path.length; length >= 0; length -= 1) {
      const found = reader.lines.get(JSON.stringify(path.slice(0, length)));
      if (found) return found;
    }
    return 1;
  };
  return { value, line };
}

class Reader {
  lines = new Map();
  #text;
  #at = 0;
  // The line of the last place that was asked for, and where it begins: places only go on.
  #line = 1;
  #lineStart = 0;

  constructor(text) { this.#text = text; }

  document() {
    const value = this.#value([]);
    this.#space();
    if (this.#at < this.#text.length) this.#fail("something stands behind the end");
    return value;
  }

  #place() {
    for (;;) {
      const end = this.#text.indexOf("\n", this.#lineStart);
      if (end < 0 || end >= this.#at) return [this.#line, this.#at - this.#lineStart + 1];
      this.#line += 1;
      this.#lineStart = end + 1;
    }
  }

  #fail(message) { throw new JSONMistake(message, ...this.#place()); }

  #space() {
    while (" \t\r\n".includes(this.#text[this.#at] ?? "x")) this.#at += 1;
  }

  #value(path) {
    this.#space();
    if (path.length > DEPTH_MAX) this.#fail(`deeper than ${DEPTH_MAX}`);
    const first = this.#text[this.#at];
    if (!this.lines.has(JSON.stringify(path))) {
      this.lines.set(JSON.stringify(path), this.#place()[0]);
    }
    if (first === undefined) this.#fail("the text ends where a value is missing");
    if (first === "{") return this.#object(path);
    if (first === "[") return this.#array(path);
    if (first === '"') return this.#string();
    return this.#word();
  }

  #object(path) {
    const value = {};
    this.#at += 1;
    this.#space();
    if (this.#take("}")) return value;
    for (;;) {
      this.#member(value, path);
      this.#space();
      if (this.#take("}")) return value;
      if (!this.#take(",")) this.#fail("a comma or } is missing");
    }
  }

  #member(value, path) {
    this.#space();
    if (this.#text[this.#at] !== '"') this.#fail("a key in quotes is missing");
    const [line] = this.#place();
    const key = this.#string();
    if (Object.hasOwn(value, key)) this.#fail(`"${key}" stands here twice`);
    this.lines.set(JSON.stringify([...path, key]), line);
    this.#space();
    if (!this.#take(":")) this.#fail(`a colon is missing after "${key}"`);
    // A plain assignment would take a key named __proto__ for the prototype.
    Object.defineProperty(value, key, { value: this.#value([...path, key]),
      enumerable: true, configurable: true, writable: true });
  }

  #array(path) {
    const value = [];
    this.#at += 1;
    this.#space();
    if (this.#take("]")) return value;
    for (;;) {
      value.push(this.#value([...path, value.length]));
      this.#space();
      if (this.#take("]")) return value;
      if (!this.#take(",")) this.#fail("a comma or ] is missing");
    }
  }

  #take(letter) {
    if (this.#text[this.#at] !== letter) return false;
    this.#at += 1;
    return true;
  }

  #string() {
    const match = /"(?:[^"\\\u0000-\u001f]|\\.)*"/y;
    match.lastIndex = this.#at;
    const found = match.exec(this.#text);
    if (!found) this.#fail("a text does not end on its line");
    try {
      const value = JSON.parse(found[0]);
      this.#at = match.lastIndex;
      return value;
    } catch {
      return this.#fail("a text has a wrong escape");
    }
  }

  #word() {
    const match = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
    match.lastIndex = this.#at;
    const found = match.exec(this.#text);
    const next = this.#text[match.lastIndex] ?? "";
    if (!found || /[\w.]/.test(next)) this.#fail("this is no value");
    this.#at = match.lastIndex;
    return JSON.parse(found[0]);
  }
}
