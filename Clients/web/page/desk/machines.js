// The machines of a session: each component's phase, and what can be asked of it.

import { h, icon, words } from "../dom.js";
import { picture } from "../stage/view-content.js";

// Points and radians a second: a shake lifts things, and does not shoot them away.
const SHAKE = { push: 900, turn: 8 };

const COMMANDS = {
  tips: () => [["present"], ["dismiss"]],
  toss: () => [["reset"]],
  navigation: (component, state) => [screenAfter(component, state), ["back"]],
  list: () => [["scroll-to-top"]],
  reader: () => [["previous"], ["next"]],
  tabs: () => [],
  profile: () => [],
  dynamics: (component) => component.parameters.items.length ? [["shake"]] : [],
  button: () => [["tap"]],
  label: (component, state) => [[["shown", "showing"].includes(state.phase) ? "hide" : "show"]],
  panel: () => [["toggle"]],
};

/** `present` of the screen that comes after the shown one, so that each can be reached. */
function screenAfter(component, state) {
  const described = (component.parameters.screens ?? []).map(({ name }) => name);
  const known = described.length ? described : Object.keys(component.content.screens ?? {});
  const shown = state.model.stack.at(-1);
  const screen = known[(known.indexOf(shown) + 1) % known.length] ?? "screen";
  return ["present", { screen, transition: "in-via-scale" }, `show ${screen}`];
}

/** A table of phases, with a button for each command. */
export class Machines {
  #client;
  #stage;
  #rows = new Map();
  #kinds = null;

  constructor(client, stage, refused) {
    this.#client = client;
    this.#stage = stage;
    this.refused = refused;
    this.body = h("tbody");
    this.notes = h("div", { class: "notes", role: "group", "aria-label": "Notify" });
    this.element = h("div", { class: "machines", "data-needs-daemon": "" },
      h("table", {}, h("caption", { class: "unseen" }, "Machines of the session"),
        h("thead", { class: "unseen" }, h("tr", {}, ...["Component", "Phase", "Commands"]
          .map((name) => h("th", { scope: "col" }, name)))), this.body),
      this.notes);
  }

  /** Follows another session. */
  follow(session) {
    session.addEventListener("scene", () => this.#build(session));
    session.addEventListener("frame", ({ detail }) => {
      for (const { component } of detail.states) this.#show(session, component);
    });
    session.addEventListener("badge", () => this.#buildNotes(session));
    this.#build(session);
  }

  #build(session) {
    this.#rows.clear();
    this.body.replaceChildren();
    for (const component of session.scene?.components ?? []) {
      const phase = h("td", { class: "phase" });
      const buttons = h("td", { class: "commands" });
      const depth = this.#depth(session.scene, component);
      const name = h("th", { scope: "row" }, h("span", {}, component.id),
        component.kind === component.id ? null : h("small", {}, component.kind));
      name.style.paddingLeft = `${depth * 16}px`;
      this.body.append(h("tr", {}, name, phase, buttons));
      this.#rows.set(component.id, { component, phase, buttons, asked: null });
      this.#show(session, component.id);
    }
    this.#buildNotes(session);
  }

  #depth(scene, component) {
    const parent = scene.components.find((one) => one.id === component.parent);
    return parent ? 1 + this.#depth(scene, parent) : 0;
  }

  #show(session, id) {
    const row = this.#rows.get(id);
    const state = session.states.get(id);
    if (!row || !state) return;
    if (row.phase.textContent !== state.phase) {
      row.phase.textContent = state.phase;
      row.phase.classList.toggle("is-still", STILL.has(state.phase));
    }
    const commands = COMMANDS[row.component.kind]?.(row.component, state) ?? [];
    const asked = JSON.stringify(commands);
    if (asked === row.asked) return;
    row.asked = asked;
    const focused = [...row.buttons.children].indexOf(document.activeElement);
    row.buttons.replaceChildren(...commands.map(([command, fields, name]) =>
      h("button", { class: "button is-small", type: "button",
        "aria-label": `${id}: ${name ?? command}`,
        click: () => this.#send(row.component, command, fields) }, name ?? words(command))));
    // The keyboard goes on from the button that stands there now.
    if (focused >= 0) row.buttons.children[focused]?.focus();
  }

  async #send({ id, parameters }, command, fields = {}) {
    const topic = `command/${this.#stage.session.name}/${id}`;
    const bodies = command !== "shake" ? [{ command, ...fields }]
      : parameters.items.map((item) => ({
        command: "add-velocity", item: item.id, dx: SHAKE.push * (Math.random() - 0.5),
        dy: -SHAKE.push * (0.4 + 0.6 * Math.random()), angular: SHAKE.turn * (Math.random() - 0.5),
      }));
    for (const body of bodies) this.#publish(topic, body);
  }

  #publish(topic, body) {
    this.#client.acknowledged(topic, body).catch((error) =>
      this.refused({ code: error.code, message: error.message, topic }));
  }

  #buildNotes(session) {
    const kinds = new Set(Object.keys(session.badge?.counts ?? {}));
    for (const { kind, parameters } of session.scene?.components ?? []) {
      if (kind !== "tabs") continue;
      for (const item of parameters.items) {
        for (const one of [...item.bubble, ...item.glow]) kinds.add(one);
      }
    }
    const names = [...kinds].slice(0, KINDS_MAX);
    if (names.join() === this.#kinds) return;
    this.#kinds = names.join();
    this.notes.replaceChildren(h("span", { "aria-hidden": "true" }, "Notify"),
      ...names.map((kind) => h("button", {
        class: "button is-small", type: "button", "data-notify": kind,
        click: () => this.#notify(kind),
      }, icon(picture(null, kind) ?? "bell", 15), kind)), this.#other());
  }

  /** A field for kinds of which the scene's tabs say nothing: reactions may wait for them. */
  #other() {
    const field = h("input", { name: "kind", placeholder: "other kind", maxlength: "64",
      pattern: "[A-Za-z0-9._~\\-]+", required: true, autocomplete: "off", spellcheck: "false",
      "aria-label": "Another kind of notification" });
    return h("form", { submit: (event) => {
      event.preventDefault();
      this.#notify(field.value);
    } }, field, h("button", { class: "button is-small", type: "submit" }, "Send"));
  }

  #notify(kind) {
    this.#publish(`notification/${this.#stage.session.name}`, { kind });
  }
}

// Kinds that get a button of their own; a session counts up to 256.
const KINDS_MAX = 12;

const STILL = new Set([
  "resting", "closed", "dismissed", "expanded", "open", "collapsed", "titled", "disabled", "shown",
  "hidden"]);
