// Opens sessions, keeps them open, and lists what there is.

import { h } from "./dom.js";

// Names that the page gives to sessions of its own; nobody picks them from a list.
export const OWN_PREFIX = "page-";
const own = Math.random().toString(36).slice(2, 7);

/** A session's name that no other page uses. */
export const ownName = (purpose) => `${OWN_PREFIX}${purpose}-${own}`;

// The sessions of the page's own that are bound to its connection, with the calls that end that.
const bound = new Map();

/** Lets a session of the page's own live as long as a page that shows it. */
export function holdOwn(client, name) {
  if (!name.startsWith(OWN_PREFIX) || bound.has(name) || client.web?.read_only) return;
  bound.set(name, client.bind(name));
}

/** Closes a session of the page's own. */
export async function closeOwn(client, name) {
  const isOpen = client.state === "open";
  const closing = isOpen ? client.request("close", { session: name }) : Promise.resolve();
  // After the request: if both are lost with the connection, the session is still bound.
  bound.get(name)?.();
  bound.delete(name);
  // One that was not closed goes with the page.
  await closing.catch(({ code }) => {
    if (code === "unavailable" || PASSING.has(code)) holdOwn(client, name);
  });
}

const isLive = (client) => client.state === "open" && client.web?.daemon === true;

/** Calls `task` now if the way to the daemon is there, and each time that it comes back. */
export function whenLive(client, task) {
  let was = false;
  const look = () => {
    const is = isLive(client);
    if (is && !was) task();
    was = is;
  };
  client.addEventListener("state", look);
  client.addEventListener("web", look);
  look();
  return () => {
    client.removeEventListener("state", look);
    client.removeEventListener("web", look);
  };
}

/** Waits until the way to the daemon is there. */
export function live(client) {
  return new Promise((done) => {
    const end = whenLive(client, () => {
      done();
      queueMicrotask(() => end());
    });
  });
}

// Attempts, and milliseconds between two, of a request that finds its place taken: many stages
// that open at once share one connection's bound of unanswered requests.
const ATTEMPTS = 40, AGAIN = 120;
const PASSING = new Set(["busy", "timeout", "disconnected"]);

/** Does a request again while only the rush refuses it. */
export async function patiently(task) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await task();
    } catch (error) {
      if (!PASSING.has(error.code) || attempt >= ATTEMPTS) throw error;
      await new Promise((done) => setTimeout(done, AGAIN * (0.5 + Math.random())));
    }
  }
}

/** A session that a stage shows: opened where it is not there, again where it was lost. */
export class Keeper extends EventTarget {
  #client;
  #stage;
  #making = null;
  name = null;
  scene = "phone";
  /** Why there is nothing to be seen, or null. */
  fault = null;

  constructor(client, stage) {
    super();
    this.#client = client;
    this.#stage = stage;
  }

  /** Shows the session; `scene` is a name or an object for one that is not there. */
  async open(name, scene) {
    this.name = name;
    this.scene = scene || "phone";
    this.#stage.open(name);
    const { session } = this.#stage;
    session.addEventListener("joined", ({ detail }) => {
      if (detail === null) this.#make();
      else this.#say(null);
    });
    session.addEventListener("session", ({ detail }) => {
      if (detail.event === "closed" || detail.event === "expired") {
        this.#say(`The session was ${detail.event}.`);
      } else this.#say(null);
    });
    await live(this.#client);
    await this.#make();
  }

  async #make() {
    const { name, scene } = this;
    if (this.#making === name) return;
    this.#making = name;
    holdOwn(this.#client, name);
    try {
      await patiently(() => this.#client.request("open", { session: name, scene }));
      this.#say(null);
    } catch (error) {
      const isThere = this.#stage.session?.scene;
      if (!isThere && name === this.name) this.#say(error.message);
    } finally {
      if (this.#making === name) this.#making = null;
    }
  }

  #say(fault) {
    this.fault = fault;
    this.dispatchEvent(new Event("fault"));
  }
}

// Sessions of the list: as many as one request may ask for. Any other can be typed.
const LISTED_MAX = 1_000;
// Lost connections in a row after which the page looks whether it is refused: some seconds.
const REFUSALS = 3;

/** Fills the lists of sessions and scenes of the form, and opens what is chosen. */
export function opener(client, form, open) {
  const { session, scene } = form.elements;
  const list = document.getElementById("sessions");
  const fill = async () => {
    if (client.state !== "open") return;
    const [{ sessions }, { scenes }] = await Promise.all([
      client.request("sessions", { limit: LISTED_MAX }), client.request("scenes"),
    ]).catch(() => [{ sessions: [] }, { scenes: [] }]);
    list.replaceChildren(...sessions.filter((name) => !name.startsWith(OWN_PREFIX))
      .map((name) => h("option", { value: name })));
    const chosen = scene.options.length ? scene.value : scene.dataset.wanted || "phone";
    scene.replaceChildren(...scenes.map((name) => h("option", { value: name }, name)));
    chooseScene(scene, chosen);
  };
  whenLive(client, fill);
  session.addEventListener("focus", fill);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    open(session.value, scene.value).then(fill);
  });
}

/** Shows a scene's name in the form; a scene without a name is the session's own. */
export function chooseScene(select, name) {
  const value = name ?? "";
  if (![...select.options].some((option) => option.value === value)) {
    select.append(h("option", { value }, value || "its own"));
  }
  select.value = value;
}

/** Shows the state of the connection: in words, and as a dot. */
export function linkState(client, element) {
  const text = element.querySelector("span");
  let attempts = 0, isRefused = false;
  const show = () => {
    const { state, web } = client;
    const isLive = state === "open" && web?.daemon;
    element.classList.toggle("is-live", Boolean(isLive));
    const words = state === "open"
      ? web === null ? "connecting" : !web.daemon ? "waiting for the daemon"
        : web.read_only ? "live, read only" : "live"
      : isRefused ? "refused; gesture-web's log says why"
        : state === "waiting" ? "connection lost, trying again" : state;
    if (text.textContent !== words) text.textContent = words;
    document.body.classList.toggle("is-read-only", web?.read_only === true);
    document.body.classList.toggle("is-away", !isLive);
    for (const element of document.querySelectorAll("[data-needs-daemon]")) {
      element.inert = !isLive;
    }
  };
  // A WebSocket does not say that it was refused: it was where the server of the page answers.
  client.addEventListener("state", async () => {
    if (client.state === "open") attempts = 0;
    else if (client.state === "waiting" && ++attempts % REFUSALS === 0) {
      const answers = fetch("", { method: "HEAD", cache: "no-store" });
      isRefused = await answers.then(() => true, () => false);
    }
    isRefused &&= client.state !== "open";
    show();
  });
  client.addEventListener("web", show);
  show();
}
