// Recording what the page sends, saving it, and replaying what is dropped on the page.

import { h, icon } from "../dom.js";
import { BYTES_MAX, EVENTS_MAX, parse, play, Recorder } from "./recordings.js";
import { closeOwn, holdOwn, ownName } from "../sessions.js";

// Letters of a recorded session's name in the name of the session where it plays: with what
// makes that unique, no more than the 64 that a name may have.
const NAME_MAX = 36;
// Milliseconds between two looks at what the recorder has.
const TOLD = 250;
// Milliseconds for which the tour's last caption stays before the visitor's session is back.
const LINGERS = 2_500;
// Milliseconds in which nothing happens in the shown session until the stage shows another one.
const SILENT = 1_000;

/** The sheet of recordings. Fires "playing" with the recording when one was read. */
export class Tape {
  #client;
  #stage;
  #stop = null;
  // The sessions that were opened to play in, and are not closed yet.
  #opened = new Set();
  // The session of the visitor, which no replay opened.
  #home = null;
  #isTour = false;

  recorder = new Recorder();

  /** `open(name, scene)` shows a session; `caption(text)` tells what is played. */
  get isPlaying() { return this.#stop !== null; }

  constructor(client, stage, { open, caption }) {
    this.#client = client;
    this.#stage = stage;
    this.open = open;
    this.caption = caption;
    this.record = h("button", { class: "button is-main", type: "button", id: "record",
      click: () => this.#turn() }, icon("record", 16), "Record");
    this.count = h("p", { class: "tape-count", role: "status" },
      "Everything that this page sends to the session is written down.");
    this.file = h("input", { type: "file", id: "recording-file", accept: ".jsonl,application/jsonl",
      change: () => this.#choose() });
    this.shelf = h("ul", { class: "shelf" });
    this.halt = h("button", { class: "button", type: "button", hidden: true,
      click: () => this.stop() }, icon("stop", 15), "Stop replay");
    this.element = h("div", { class: "tape" },
      h("h2", {}, "Record your own hand"), this.count,
      h("div", { class: "row-of-tools", "data-needs-daemon": "" }, this.record), this.shelf,
      h("h2", {}, "Replay a recording"),
      h("p", {}, "Drop a .jsonl file anywhere on this page, or choose one. It plays in a session "
        + "of its own, with the scene of the recording."),
      h("div", { class: "row-of-tools", "data-needs-daemon": "" },
        h("label", { class: "button", for: "recording-file" }, "Choose a file"), this.file,
        h("button", { class: "button", type: "button", id: "tour",
          click: () => this.tour() }, icon("play", 15), "Play the tour"), this.halt));
    setInterval(() => this.#tell(), TOLD);
    addEventListener("pagehide", () => this.#close(null));
  }

  /** Called when the stage shows another session. */
  follow(session) {
    if (!this.#opened.has(session.name)) this.#home = session.name;
    if (!this.isPlaying) this.#close(session.name);
  }

  /** Closes the sessions of replays, but the one that the stage shows. */
  #close(shown) {
    for (const name of this.#opened) {
      if (name === shown || this.#client.state !== "open") continue;
      this.#opened.delete(name);
      closeOwn(this.#client, name);
    }
  }

  /** One event that the page sends. */
  take(topic, body) { this.recorder.take(topic, body); }

  async #turn() {
    if (this.recorder.isOn) return this.#keep(this.recorder.end());
    const { session } = this.#stage;
    if (!session) return;
    let scene;
    try {
      ({ document: { scene } } = await this.#client.request("export", { session: session.name }));
    } catch (error) {
      this.count.textContent = `Nothing is written down: ${error.message}`;
      return;
    }
    this.recorder.begin(session.name, scene);
    this.record.replaceChildren(icon("stop", 16), "Stop recording");
    this.record.setAttribute("aria-pressed", "true");
    this.#tell();
  }

  #tell() {
    if (!this.recorder.isOn) return;
    const { count, seconds } = this.recorder;
    const full = count >= EVENTS_MAX ? ", and no more fit" : "";
    this.count.textContent = `${Math.floor(seconds)} s, ${count} events${full}`;
  }

  /** Puts a recording onto the shelf, to be saved and played. */
  #keep(text) {
    this.record.replaceChildren(icon("record", 16), "Record");
    this.record.removeAttribute("aria-pressed");
    const number = this.shelf.children.length + 1;
    const name = `${this.recorder.session}-${number}.jsonl`;
    const href = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
    this.count.textContent = `${this.recorder.count} events are on the tape.`;
    this.shelf.append(h("li", {}, h("span", {}, name),
      h("a", { class: "button is-small", href, download: name, "data-download": "" },
        icon("download", 15), "Download"),
      h("button", { class: "button is-small", type: "button",
        click: () => this.read(text) }, icon("play", 13), "Play")));
  }

  async #choose() {
    const [file] = this.file.files;
    if (file) await this.takeFile(file);
    this.file.value = "";
  }

  /** A file that was dropped or chosen. */
  async takeFile(file) {
    if (file.size > BYTES_MAX) {
      this.caption(`${file.name}: larger than ${BYTES_MAX} bytes`);
      return;
    }
    await this.read(await file.text(), file.name);
  }

  /** Plays a recording that gesture-web serves. */
  async fetch(name, options) {
    const answer = await fetch(`recordings/${name}.jsonl`);
    if (answer.ok) await this.read(await answer.text(), name, options);
    else this.caption(`There is no recording ${name}.`);
  }

  /** Plays the tour. Then the stage shows the visitor's session again. */
  async tour() {
    if (this.#client.web?.read_only) {
      this.caption("This page is read only: it can play nothing.");
      return;
    }
    await this.fetch("tour", { isTour: true });
  }

  /** Plays the text of a recording in sessions of its own; the stage follows the hand. */
  async read(text, name = "recording", { isTour = false } = {}) {
    this.stop({ next: name });
    let recording;
    try {
      recording = parse(text);
    } catch (error) {
      this.caption(`${name}: ${error.message}`);
      return;
    }
    const turn = (this.#stop = () => {});
    const names = await this.#open(recording, name);
    // Another recording was dropped meanwhile, or this one was stopped.
    if (this.#stop !== turn) return;
    this.halt.hidden = false;
    this.#isTour = isTour;
    this.#stop = play(recording, {
      names: (session) => names.get(session),
      publish: this.#follower(recording, names),
      caption: this.caption,
      ended: () => this.#end(),
    });
  }

  #end() {
    if (!this.#isTour) return this.stop();
    const timer = setTimeout(() => this.stop(), LINGERS);
    this.#stop = () => clearTimeout(timer);
  }

  /** Opens the sessions in which a recording plays; gives their names by the recorded ones. */
  async #open({ scenes }, file) {
    const names = new Map();
    for (const [session, scene] of scenes) {
      const own = ownName(`replay-${session.slice(0, NAME_MAX)}-${names.size + 1}`);
      names.set(session, own);
      this.#opened.add(own);
      await closeOwn(this.#client, own);
      holdOwn(this.#client, own);
      await this.#client.request("open", { session: own, scene }).catch((error) =>
        this.caption(`${file}: ${error.message}`));
    }
    return names;
  }

  /** Publishes the events of a replay, and lets the stage follow the hand. */
  #follower({ scenes }, names) {
    const originals = new Map([...names].map(([original, own]) => [own, original]));
    let shown = null;
    let heard = -Infinity;
    const hear = (session) => {
      const now = performance.now();
      if (session !== shown && now - heard < SILENT) return;
      heard = now;
      if (session === shown) return;
      shown = session;
      this.open(session, scenes.get(originals.get(session)));
    };
    if (names.size) hear(names.values().next().value);
    heard = -Infinity;
    return (topic, body) => {
      hear(topic.split("/")[1]);
      this.#client.publish(topic, body);
    };
  }

  /** Ends a replay. The stage stays where it is if another session is to be shown `next`. */
  stop({ next = null } = {}) {
    this.#stop?.();
    this.#stop = null;
    this.halt.hidden = true;
    const isOver = this.#isTour && next === null;
    this.#isTour = false;
    const shown = this.#stage.session?.name;
    this.#close(shown);
    if (isOver && this.#home !== null && this.#home !== shown) this.open(this.#home);
  }
}

/** Lets files be dropped anywhere on the page. */
export function dropping(curtain, take) {
  const isFile = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    curtain.hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) curtain.hidden = true;
  });
  addEventListener("drop", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    curtain.hidden = true;
    const [file] = event.dataTransfer.files;
    if (file) take(file);
  });
}
