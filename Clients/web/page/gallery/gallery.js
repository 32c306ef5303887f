// One card for each interaction and each example world: touch it, or play what a hand did.

import { calm, h, icon } from "../dom.js";
import { parse, play } from "../desk/recordings.js";
import { closeOwn, Keeper, live, ownName, patiently } from "../sessions.js";
import { Stage } from "../stage/stage.js";

const CARDS = [
  ["tips", "Tips", "Cards that turn like a clock's hand on a pin below them."],
  ["toss", "Toss", "A view hangs on the finger where you hold it, flies, and comes back."],
  ["navigation", "Screens", "They grow, shrink and slide on a stack, and wait for each other."],
  ["profile", "Profile", "A header follows the scroll, shrinks, and takes the name."],
  ["list", "Rows", "Fling them, catch them, swipe one aside, choose its action."],
  ["reader", "Articles", "Pull past the end, and the next one runs in."],
  ["tabs", "Tabs", "The arrow runs after each touch."],
  ["button", "Buttons", "They light up under a finger, and one that is held goes on."],
  ["label", "Labels", "Their words fade over into others, and into another language."],
  ["panel", "Panel", "Pulled up, and the stroke goes on into the list that lies in it."],
  ["house", "Wall panel", "Lights, a dimmer and a blind, whose values go out and come in."],
  ["pinball", "Pinball", "Flippers, bumpers and a score: a game in one file."],
  ["dock", "Dock", "Gravity, walls and a shelf: icons that fall, and can be thrown."],
  ["notifications", "Notifications", "A bubble counts what is new, and a tab glows."],
  ["cradle", "Cradle", "Five balls on rods hand a push on, and nothing is lost."],
  ["sheet", "Sheet", "It snaps to three places, and comes back when dragged away."],
];

// Points of the box into which a card's device is fitted.
const BOX = { width: 250, height: 400 };
// Milliseconds in which a scene settles before its recording plays, and out of sight until its
// session is closed.
const SETTLES = 350, FORGOTTEN = 20_000;
// Milliseconds until a session that was opened has to show.
const PATIENCE = 5_000;

/** Fills the gallery. Gives the cards, to be painted. */
export function gallery(client, list, tour) {
  const cards = CARDS.map((one) => new Card(client, ...one));
  list.append(...cards.map((card) => card.element), h("li", { class: "card is-tour" },
    h("h3", {}, "The tour"), h("p", {}, "All of it on one phone, in a minute, by one hand."),
    h("button", { class: "button is-main", type: "button", click: tour },
      icon("play", 15), "Play the tour")));
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      cards.find((card) => card.element === entry.target).see(entry.isIntersecting);
    }
  }, { rootMargin: "120px 0px" });
  for (const card of cards) seen.observe(card.element);
  addEventListener("pagehide", () => {
    for (const card of cards) card.forget();
  });
  return cards;
}

class Card {
  #client;
  #stop = null;
  #recording = null;
  #timer = 0;
  #wasPlayed = false;
  #isSeen = false;

  constructor(client, name, title, text) {
    this.#client = client;
    this.name = name;
    this.title = title;
    this.session = ownName(name);
    this.stage = new Stage(client, { label: `${title}, drawn live`, keys: false });
    this.stage.trails.on = !calm();
    this.stage.fit(BOX.width, BOX.height, 0.68);
    this.keeper = new Keeper(client, this.stage);
    this.caption = h("p", { class: "card-caption" }, text);
    this.text = text;
    this.button = h("button", { class: "button", type: "button", "aria-label": `Play ${title}`,
      click: () => (this.#stop ? this.stop() : this.play()) }, icon("play", 15), "Play");
    const open = h("a", { class: "button", "aria-label": `Open ${title} on the stage`,
      href: `?session=${this.session}` }, "Open");
    this.element = h("li", { class: "card", "data-card": name },
      h("div", { class: "card-stage" }, this.stage.device),
      h("div", { class: "card-text" }, h("h3", {}, title), this.caption,
        h("div", { class: "card-tools" }, this.button, open)));
    // A card is passed by more often than scrolled; its wheel belongs to the page.
    this.stage.screen.addEventListener("wheel", (event) => event.stopImmediatePropagation(),
      { capture: true });
    this.stage.screen.addEventListener("pointerdown", () => this.stop(), { capture: true });
    open.addEventListener("click", () => { this.isKept = true; });
  }

  /** The card came into sight, or left it. */
  async see(isSeen) {
    this.#isSeen = isSeen;
    clearTimeout(this.#timer);
    if (!isSeen) {
      this.stop();
      this.#timer = setTimeout(() => this.forget(), FORGOTTEN);
      return;
    }
    if (this.stage.session) return;
    try {
      await this.#open();
      if (!this.#wasPlayed && !calm()) await this.play(true);
    } catch (error) {
      this.#say(error.message);
    }
  }

  /** Ends the card's session; it is opened again when it is seen. */
  forget() {
    if (!this.stage.session || this.isKept) return;
    this.stop();
    this.stage.close();
    closeOwn(this.#client, this.session);
  }

  async #open() {
    if (!this.#recording) {
      const answer = await fetch(`recordings/${this.name}.jsonl`);
      if (!answer.ok) throw new Error(`There is no recording ${this.name}.`);
      this.#recording = parse(await answer.text());
    }
    await this.keeper.open(this.session, this.#recording.scenes.get(this.#recording.main));
    if (this.keeper.fault) throw new Error(this.keeper.fault);
    await this.#show();
  }

  /** Leads to the part that the recording is about: its tab, without cards over it. */
  async #show() {
    if (!this.stage.scene) {
      await new Promise((done, fail) => {
        this.stage.addEventListener("drawn", done, { once: true });
        setTimeout(() => fail(new Error("The session does not show.")), PATIENCE);
      });
    }
    await settle(this.#client, this.session, this.stage.scene, this.#recording.part);
  }

  /** Plays the recording; in a session that lives anew, unless this one is fresh. */
  async play(isFresh = false) {
    this.#wasPlayed = true;
    this.stop();
    this.#press(true);
    const turn = (this.#stop = () => {});
    try {
      if (!this.stage.session) await this.#open();
      else if (!isFresh) await this.#again();
      await new Promise((done) => setTimeout(done, SETTLES));
    } catch (error) {
      this.#say(error.message);
    }
    if (this.#stop !== turn || !this.#isSeen) return this.stop();
    this.#stop = play(this.#recording, {
      names: (session) => (session === this.#recording.main ? this.session
        : `${this.session}-${session}`.slice(0, 64)),
      publish: (topic, body) => {
        if (topic.split("/")[1] !== this.session) return;
        this.#client.publish(topic, body);
        this.stage.fingers.take(topic, body);
      },
      caption: (text) => this.#say(text.replace(/^\d+ /, "")),
      ended: () => {
        this.#stop = null;
        this.#press(false);
      },
    });
  }

  // A recording begins where its scene begins, so the session lives anew.
  async #again() {
    this.stage.close();
    await closeOwn(this.#client, this.session);
    await this.#open();
  }

  stop() {
    this.#stop?.();
    this.#stop = null;
    this.#press(false);
    this.#say(this.text);
  }

  #press(isPlaying) {
    this.button.replaceChildren(icon(isPlaying ? "stop" : "play", 15),
      isPlaying ? "Stop" : "Play");
    this.button.setAttribute("aria-label", `${isPlaying ? "Stop" : "Play"} ${this.title}`);
    this.element.classList.toggle("is-playing", isPlaying);
  }

  #say(text) {
    if (this.caption.textContent !== text) this.caption.textContent = text;
  }
}

/** Brings a component to the front: its page is selected, and cards over it are dismissed. */
export async function settle(client, session, scene, id) {
  await live(client);
  const find = (name) => scene.components.find((one) => one.id === name);
  const commands = scene.components.filter((one) => one.kind === "tips" && one.id !== id)
    .map((one) => [one.id, { command: "dismiss" }]);
  for (let one = find(id); one?.parent; one = find(one.parent)) {
    const parent = find(one.parent);
    if (parent.kind !== "tabs") continue;
    const index = parent.parameters.items.findIndex((item) => `page-${item.id}` === one.slot);
    commands.push([parent.id, { command: "select", index }]);
  }
  await Promise.all(commands.map(([component, body]) =>
    patiently(() => client.acknowledged(`command/${session}/${component}`, body))
      .catch(() => {})));
}
