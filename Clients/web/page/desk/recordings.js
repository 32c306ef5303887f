// Recordings: read, played and written. docs/recordings.md says the format.

// Bytes and events of a recording that a page takes; the tour has a hundredth of both.
export const BYTES_MAX = 16 * 2 ** 20;
export const EVENTS_MAX = 100_000;
// Sessions that a recording may open: more than a person follows, and few for a daemon.
const SESSIONS_MAX = 16;
// Milliseconds by which an event's own time may differ from ours; the daemon trusts it as far.
const TRUSTED = 2_000;
// Milliseconds between two turns of the player: finer than any screen samples a finger.
const TURN = 6;
// Milliseconds by which a turn may come late, on a busy machine or in a hidden tab. What is overdue
// after a longer stall would come all at once, and tell another story: the rest is played later.
const STALL = 250;

/** A recording that cannot be read; the message names the line. */
export class RecordingError extends Error {}

/** Reads a recording: its scene, its lines, its captions and its sessions. */
export function parse(text) {
  if (text.length > BYTES_MAX) throw new RecordingError(`larger than ${BYTES_MAX} bytes`);
  const lines = [];
  let header = null;
  let last = -Infinity;
  for (const [index, line] of text.split("\n").entries()) {
    if (!line.trim() || (header === null && line.startsWith("#"))) continue;
    const fail = (what) => { throw new RecordingError(`line ${index + 1}: ${what}`); };
    let value;
    try {
      value = JSON.parse(line);
    } catch {
      fail("this is no JSON");
    }
    if (header === null) {
      if (value?.["gesture-recording"] !== 1) fail("the header of a recording is missing");
      header = value;
      continue;
    }
    if (typeof value?.t !== "number" || value.t < last) fail("the time is missing or falls");
    last = value.t;
    if (isOpening(value)) {
      // The scene is missing, and the header's takes its place.
      if (value.scene === null) continue;
      value = opening(value);
    }
    if (typeof value.caption !== "string" && typeof value.topic !== "string") {
      fail("neither a caption nor a topic");
    }
    if (typeof value.topic === "string" && !value.topic.split("/")[1]) {
      fail("the topic names no session");
    }
    if (typeof value.caption !== "string" && !isTable(value.body)) fail("an event without a body");
    if (lines.push(value) > EVENTS_MAX) fail(`more than ${EVENTS_MAX} lines`);
  }
  if (header === null) throw new RecordingError("the header of a recording is missing");
  const found = sessions(header, lines);
  if (found.scenes.size > SESSIONS_MAX) {
    throw new RecordingError(`${found.scenes.size} sessions, and ${SESSIONS_MAX} can be played`);
  }
  return { header, lines, ...found };
}

const isTable = (value) =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** Whether a line opens a session with a scene that an event cannot hold, or that is missing. */
const isOpening = (value) =>
  value.topic === undefined && typeof value.session === "string" && value.scene !== undefined;

const opening = ({ t, session, scene }) =>
  ({ t, topic: `command/${session}`, body: { command: "open", scene } });

/**
 * The sessions of a recording with their scenes, and the one of which most is told. `openings` are
 * the lines that open a session; a later `open` gives an open session another scene.
 */
function sessions(header, lines) {
  const scenes = new Map();
  const openings = new Set();
  const weights = new Map();
  const parts = new Map();
  for (const line of lines) {
    const { topic, caption } = line;
    if (caption !== undefined) continue;
    const [, session, component] = topic.split("/");
    const isFirst = !scenes.has(session);
    if (isFirst) scenes.set(session, header.scene ?? "phone");
    if (opens(line)) {
      if (isFirst) {
        scenes.set(session, line.body.scene ?? "phone");
        openings.add(line);
      }
      continue;
    }
    weights.set(session, (weights.get(session) ?? 0) + 1);
    if (component) parts.set(component, (parts.get(component) ?? 0) + 1);
  }
  const most = (counted) => [...counted].reduce((best, one) =>
    (one[1] > (best?.[1] ?? 0) ? one : best), null)?.[0] ?? null;
  return { scenes, openings, main: most(weights) ?? [...scenes.keys()][0] ?? null, part: most(parts) };
}

/** The topic of another session. */
function moved(topic, names) {
  const [kind, session, ...rest] = topic.split("/");
  return [kind, names(session), ...rest].join("/");
}

/**
 * Plays a recording; call the result to stop. `names` gives each session its name here, `publish`
 * sends, `caption` is told what is shown, `ended` that it is over. The first event that opens a
 * session is left out, since it is open already; a later one gives it its scene.
 */
export function play({ lines, openings }, { names, publish, caption, ended, from = 0 }) {
  let latest = performance.now();
  let start = latest - from;
  let index = 0;
  const held = new Map();
  const send = (topic, body, at) => {
    const now = performance.timeOrigin + start + at;
    const isTimed = topic.startsWith("gesture/");
    publish(topic, isTimed ? { ...body, t: now } : withoutTime(body));
    if (!body.phase) return;
    const key = `${topic} ${body.gesture} ${body.pointer}`;
    if (body.phase === "ended" || body.phase === "cancelled") held.delete(key);
    else held.set(key, { topic, body });
  };
  const stop = () => {
    clearInterval(timer);
    for (const { topic, body } of held.values()) publish(topic, { ...body, phase: "cancelled" });
    held.clear();
  };
  const turn = () => {
    const now = performance.now();
    if (now - latest > TURN + STALL) start += now - latest - TURN;
    latest = now;
    const at = now - start;
    while (index < lines.length && lines[index].t <= at) {
      const line = lines[index];
      index += 1;
      if (line.caption !== undefined) caption?.(line.caption);
      else if (!openings.has(line)) {
        const body = opens(line) ? { ...line.body, replace: true } : line.body;
        send(moved(line.topic, names), body, line.t);
      }
    }
    if (index < lines.length) return;
    stop();
    ended?.();
  };
  const timer = setInterval(turn, TURN);
  return stop;
}

const opens = ({ topic, body }) =>
  topic.startsWith("command/") && topic.split("/").length === 2 && body.command === "open";

const withoutTime = ({ t, ...rest }) => rest;

/** Writes down what the page publishes to one session. */
export class Recorder {
  #lines = [];
  #start = null;

  session = null;

  get isOn() { return this.#start !== null; }

  get count() { return this.#lines.length; }

  get seconds() { return this.#start === null ? 0 : (performance.now() - this.#start) / 1000; }

  /** Begins anew, with the scene that the session has now. */
  begin(session, scene) {
    this.session = session;
    this.header = { "gesture-recording": 1, scene };
    this.#lines = [];
    this.#start = performance.now();
  }

  take(topic, body) {
    if (!this.isOn || topic.split("/")[1] !== this.session) return;
    if (this.#lines.length >= EVENTS_MAX) return;
    // A hand's own times count, as for the daemon: what was sent in a burst was no burst.
    const now = performance.now();
    const own = body.t - performance.timeOrigin;
    const when = Math.abs(now - own) <= TRUSTED ? own : now;
    const t = Math.max(this.#lines.at(-1)?.t ?? 0, Math.round((when - this.#start) * 100) / 100);
    this.#lines.push({ t, topic, body: withoutTime(body) });
  }

  /** Ends it, and gives the text of the file. */
  end() {
    this.#start = null;
    return [this.header, ...this.#lines].map((line) => `${JSON.stringify(line)}\n`).join("");
  }
}

