// Draws and touches sessions of gestured in a page. README.md and gestured.d.ts say how.

/** A refusal; its code is one of docs/protocol.md, or disconnected, timeout, closed. */
export class GesturedError extends Error {
  constructor(code, message) {
    super(message);
    this.name = "GesturedError";
    this.code = code;
  }
}

// Milliseconds: a request's patience, silence that means a dead connection, between attempts.
// How many frames behind the newest one a session is shown.
const DELAY = 1.25;
const PATIENCE = 10_000, SILENCE = 5_000, RETRY = { first: 100, most: 2_000 };
// Updates that wait for a snapshot, and states of a component that wait to be shown.
const KEPT_MAX = 1_000, PAST_MAX = 60;

const tell = (target, type, detail) => target.dispatchEvent(new CustomEvent(type, { detail }));
const unique = () => crypto.getRandomValues(new Uint32Array(4)).join("-");
const pause = (time) => new Promise((resume) => setTimeout(resume, time));

export const connect = (url, options) => new Client(url, options);

export class Client extends EventTarget {
  state = "connecting";
  web = null;
  #url; #socket; #closer; #pulse; #epoch;
  #heard = 0; #wait = RETRY.first; #number = 0;
  #takers = new Map();
  #waiting = new Map();

  constructor(url = "/") {
    super();
    this.#url = new URL(url, location);
    this.#url.protocol = this.#url.protocol.replace("http", "ws");
    this.#url.hash = "";
    this.subscribe("heartbeat", (_, { epoch }) => {
      if (this.#epoch && epoch !== this.#epoch) tell(this, "live");
      this.#epoch = epoch;
    });
    this.#pulse = setInterval(() => {
      const silent = performance.now() - this.#heard > SILENCE;
      if (this.state === "open" && this.web?.daemon && silent) this.#lost();
    }, 1_000);
    this.#open();
  }

  request(op, fields) {
    const id = ++this.#number, text = JSON.stringify({ request: { ...fields, op, id } });
    return new Promise((resolve, reject) => {
      if (this.state === "closed") return reject(new GesturedError("closed", "closed"));
      const late = () => this.#settle(id, "timeout", `no answer to ${op}`);
      const sent = this.state === "open";
      this.#waiting.set(id, { text, resolve, reject, sent, timer: setTimeout(late, PATIENCE) });
      if (sent) this.#socket.send(text);
    });
  }

  publish(topic, body) {
    return this.state === "open" && this.#send({ topic, body });
  }

  async acknowledged(topic, body) {
    const again = !topic.startsWith("gesture/");
    if (again) body = { id: unique(), ...body };
    for (;;) {
      try {
        return await this.request("publish", { topic, body });
      } catch (error) {
        if (!again || !["disconnected", "timeout"].includes(error.code)) throw error;
      }
    }
  }

  subscribe(prefix, take) {
    const takers = this.#takers.get(prefix) ?? new Set(), entry = { take };
    if (!takers.size && this.state === "open") this.#send({ subscribe: prefix });
    this.#takers.set(prefix, takers.add(entry));
    return () => {
      if (!takers.delete(entry) || takers.size) return;
      this.#takers.delete(prefix);
      if (this.state === "open") this.#send({ unsubscribe: prefix });
    };
  }

  watch(session) {
    return new Session(this, session);
  }

  close() {
    this.#drop("closed");
    this.#turn("closed");
    clearInterval(this.#pulse);
  }

  #turn(state) {
    this.state = state;
    tell(this, "state", state);
  }

  #send(message) {
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  #open() {
    this.#closer = new AbortController();
    const { signal } = this.#closer, socket = this.#socket = new WebSocket(this.#url);
    socket.addEventListener("open", () => {
      this.#heard = performance.now();
      for (const subscribe of this.#takers.keys()) this.#send({ subscribe });
      for (const one of this.#waiting.values()) socket.send(one.text, (one.sent = true));
      this.#turn("open");
      tell(this, "live");
    }, { signal });
    socket.addEventListener("message", ({ data }) => this.#take(JSON.parse(data)), { signal });
    socket.addEventListener("close", () => this.#lost(), { signal });
  }

  #drop(code) {
    this.#closer.abort();
    this.#socket.close();
    for (const [id, { sent }] of this.#waiting)
      if (sent || code === "closed") this.#settle(id, code, "the connection was lost");
  }

  async #lost() {
    this.#drop("disconnected");
    this.#turn("waiting");
    await pause(this.#wait * (0.5 + Math.random() / 2));
    this.#wait = Math.min(2 * this.#wait, RETRY.most);
    if (this.state !== "waiting") return;
    this.#turn("connecting");
    this.#open();
  }

  #settle(id, code, message, reply) {
    const { resolve, reject, timer } = this.#waiting.get(id) ?? {};
    clearTimeout(timer);
    this.#waiting.delete(id);
    if (code) reject?.(new GesturedError(code, message));
    else resolve?.(reply);
  }

  #take({ topic, body, web, reply, error }) {
    this.#heard = performance.now();
    if (topic) {
      for (const [prefix, takers] of this.#takers)
        if (topic.startsWith(prefix)) for (const { take } of [...takers]) take(topic, body);
    } else if (reply) {
      this.#settle(reply.id, reply.error?.code, reply.error?.message, reply);
    } else if (web) {
      const back = web.daemon && this.web?.daemon === false;
      this.web = web;
      this.#wait = RETRY.first;
      tell(this, "web", web);
      if (back) tell(this, "live");
    } else if (error) tell(this, "refused", error);
  }
}

export class Session extends EventTarget {
  scene = null;
  states = new Map();
  badge = null;
  epoch = null;
  gaps = 0;
  joined = false;
  // While a snapshot is on its way, #kept has what came; #live says whether it shows meanwhile.
  #kept = []; #live = false; #none = true; #attempt = 0;
  #client; #stops; #sync; #timer;
  #past = new Set(); #seqs = {}; #history = new Map(); #offset = null;

  constructor(client, name) {
    super();
    this.name = name;
    this.#client = client;
    const join = () => this.#join();
    this.#stops = ["scene", "frame", "session", "rejected"].map((kind) =>
      client.subscribe(`${kind}/${name}`, (topic, body) => {
        if (topic === `${kind}/${name}`) this.#take(kind, body);
      }));
    client.addEventListener("live", join);
    this.#stops.push(() => client.removeEventListener("live", join));
    if (client.state === "open") join();
  }

  at(now = performance.now()) {
    const t = now - this.#offset - this.#step * DELAY;
    return new Map([...this.states].map(
      ([name, state]) => [name, between(this.#history.get(name) ?? [], t) ?? state]));
  }

  close() {
    this.#attempt = -1;
    clearTimeout(this.#timer);
    for (const stop of [...this.#stops, this.#sync]) stop?.();
  }

  get #step() {
    return 1_000 / (this.scene?.frame_rate ?? 60);
  }

  // Once the subscriptions are in force, a snapshot shows everything anew.
  #join() {
    this.#live = false;
    this.#retry(SILENCE);
    this.#sync?.();
    this.#sync = this.#client.subscribe(`sync/${unique()}`, () => this.#ask());
  }

  async #ask() {
    this.#sync?.();
    this.#sync = null;
    const attempt = this.#retry(PATIENCE);
    let reply = null;
    try {
      reply = await this.#client.request("snapshot", { session: this.name });
    } catch ({ code }) {
      if (code !== "unknown-session") return attempt === this.#attempt && this.#retry(RETRY.most);
    }
    if (attempt === this.#attempt) this.#show(reply);
  }

  #retry(time) {
    this.#kept ??= [];
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#client.state === "open" && this.#join(), time);
    return ++this.#attempt;
  }

  #show(reply) {
    if (reply && this.#isOld(reply.epoch)) return this.#ask();
    if (reply) {
      this.#adopt(reply.epoch);
      for (const { topic, body } of reply.updates) {
        const [kind] = topic.split("/");
        this.#seqs[kind] = body.seq;
        if (kind === "scene" || kind === "frame") this.#apply(kind, body);
      }
    } else this.#forget();
    const kept = this.#kept;
    this.#kept = null;
    this.#live = this.joined = true;
    clearTimeout(this.#timer);
    tell(this, "joined", reply);
    for (const { kind, body, shown } of kept) this.#take(kind, body, shown);
  }

  // Takes an update by the table of "Joining"; `shown` is one that showed before a snapshot.
  #take(kind, body, shown) {
    if (this.#isOld(body.epoch)) return;
    if (body.epoch !== this.epoch && this.#live && !this.#none) this.#join();
    if (this.#kept?.push({ kind, body, shown: this.#live }) > KEPT_MAX) this.#kept.shift();
    if (!this.#live) return;
    this.#adopt(body.epoch);
    const missed = body.seq - (this.#seqs[kind] ?? body.seq - 1) - 1;
    if (missed < 0) return;
    this.#seqs[kind] = body.seq;
    if (kind === "frame" && !shown) this.#time(performance.now() - body.t);
    this.#apply(kind, body, shown, missed);
    if (!missed) return;
    if (!shown) tell(this, "gap", { kind, missed, gaps: ++this.gaps });
    if (!this.#kept) this.#ask();
  }

  #isOld(epoch) {
    const [run, life] = split(epoch), [ownRun, ownLife] = split(this.epoch ?? "");
    return run === ownRun ? life < ownLife : this.#past.has(run);
  }

  #adopt(epoch) {
    this.#none = false;
    if (epoch === this.epoch) return;
    if (this.epoch) this.#past.add(split(this.epoch)[0]).delete(split(epoch)[0]);
    this.epoch = epoch;
    this.#seqs = {};
    this.#offset = null;
    this.#history.clear();
    this.states.clear();
  }

  #forget() {
    this.#none = true;
    this.#history.clear();
    this.states.clear();
    this.badge = null;
    if (this.scene) tell(this, "scene", (this.scene = null));
  }

  // The least delay counts; it may grow slowly, for a stalled daemon's time falls behind.
  #time(offset) {
    const before = this.#offset ?? offset, later = offset - before;
    this.#offset = later < 0 || later > 250 ? offset : before + later * 0.05;
  }

  #apply(kind, body, shown, missed) {
    if (kind === "scene") {
      const ids = new Set(body.components.map(({ id }) => id)), { epoch, revision } = body;
      for (const id of this.states.keys()) if (!ids.has(id)) this.states.delete(id);
      const isKnown = this.scene?.epoch === epoch && this.scene.revision === revision;
      this.scene = body;
      if (isKnown) return;
      this.#history.clear();
      tell(this, "scene", body);
    } else if (kind === "frame") {
      for (const state of body.states) this.#push(state, body.t, missed);
      if (body.badge?.version > (this.badge?.version ?? -1))
        tell(this, "badge", (this.badge = body.badge));
      if (!shown) for (const one of body.transitions ?? []) tell(this, "transition", one);
      tell(this, "frame", body);
    } else if (!shown) {
      if (body.event === "closed" || body.event === "expired") this.#forget();
      tell(this, kind, body);
    }
  }

  // A state comes only when it changes: unless frames are missing, its motion took one frame.
  #push(state, t, missed) {
    const past = this.#history.get(state.component) ?? [];
    while (past.length && (past.at(-1).t >= t || past.length > PAST_MAX)) past.at(-1).t >= t ? past.pop() : past.shift();
    past.push({ t, state, from: missed ? 0 : t - this.#step });
    this.#history.set(state.component, past);
    this.states.set(state.component, state);
  }
}

const split = (epoch) => {
  const dot = epoch.lastIndexOf(".");
  return [epoch.slice(0, dot), Number(epoch.slice(dot + 1))];
};

function between(past, t) {
  const next = past.findIndex((one) => one.t > t), a = past.at(next - 1), b = past[next];
  if (next < 1) return (b ?? a)?.state;
  const from = Math.max(a.t, b.from), f = (t - from) / (b.t - from), views = {};
  if (f <= 0) return a.state;
  for (const [name, view] of Object.entries(a.state.views))
    views[name] = interpolate(view, b.state.views[name] ?? view, f);
  return { ...a.state, views };
}

export function interpolate(a, b, f) {
  if (f >= 1) return b;
  if (f <= 0 || (b.cut ?? 0) > (a.cut ?? 0)) return a;
  const mixed = { ...a }, turn = b.rotation - a.rotation;
  for (const key of ["x", "y", "w", "h", "scale", "alpha"]) mixed[key] += (b[key] - a[key]) * f;
  const short = turn - 2 * Math.PI * Math.round(turn / (2 * Math.PI));
  mixed.rotation = Math.atan2(Math.sin(a.rotation + short * f), Math.cos(a.rotation + short * f));
  return mixed;
}

// The views that look as their component's own content says; others have a table of their name.
const OWN = {
  tips: /^tip$/, toss: /^item$/, navigation: /./, profile: /^content$/, list: /^row-/,
  reader: /^(page|incoming)$/, tabs: /^bar$/,
};

function look({ kind, content, parameters }, model, view) {
  const [, name, rest] = /^([^-]*)-?(.*)/.exec(view), items = parameters.items ?? [];
  if (kind === "tabs" && name === "page") return {};
  const item = items.find(({ id }) => id === (kind === "tabs" && name === "item" ? rest : view));
  if (item) return item.content ?? {};
  const isPlain = ([, value]) => typeof value !== "object" || Array.isArray(value);
  const own = OWN[kind]?.test(view) && Object.fromEntries(Object.entries(content).filter(isPlain));
  const entry = content.screens?.[view] ?? content[name === "label" ? "name" : name];
  const card = name === "tip" && (model.content ?? parameters.tips?.[model.index]?.content);
  return { ...own, ...entry, ...card };
}

function words({ kind, parameters }, model, view) {
  const [, name, rest] = /^([^-]*)-?(.*)/.exec(view), { counts } = model.bubble ?? {};
  switch (`${kind}/${name}`) {
    case "tips/tip": case "reader/page": return model.title;
    case "list/row": return `Row ${rest}`;
    case "list/menu":
      return parameters.menu.map(({ id, content }) => content?.text ?? id).join("   ");
    case "tabs/bubble": return `${Object.values(counts ?? {}).reduce((a, b) => a + b, 0)} new`;
  }
}

export function layers(scene, states, holder = "") {
  const plain = { rotation: 0, scale: 1, alpha: 1, round: false, clip: false };
  return (scene?.components ?? []).flatMap((one) => {
    const { id, parent, slot, frame, clip, kind, content, parameters } = one, state = states.get(id);
    if (!state || (parent === null ? "" : `${parent}/${slot}`) !== holder) return [];
    const [left, top, w, h] = frame, views = Object.entries(state.views);
    const children = views.sort(([, a], [, b]) => a.z - b.z).map(([view, at]) => {
      const { x, y, w, h, rotation, scale, alpha } = at, key = `${id}/${view}`;
      const content = look(one, state.model, view);
      const round = kind === "dynamics" &&
        parameters.items.some((item) => item.id === view && item.shape === "circle");
      return {
        ...plain, key, component: id, view, left: x - w / 2, top: y - h / 2, w, h, rotation, scale,
        alpha, round, content, text: content.text ?? words(one, state.model, view),
        children: layers(scene, states, key),
      };
    });
    return { ...plain, key: id, component: id, view: null, left, top, w, h, clip, content, children };
  });
}

// Points of an element's box as it was laid out, whatever zoom or transform it is shown with.
const inside = (element) => ({ clientX, clientY }) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [
    (clientX - left) * (element.offsetWidth / width) - element.clientLeft,
    (clientY - top) * (element.offsetHeight / height) - element.clientTop,
  ];
};

export function capture(element, client, session, toPoint = inside(element)) {
  const closer = new AbortController(), contacts = new Map(), { touchAction, userSelect } = element.style;
  // Other screens may touch the same session, so the numbers of this one's contacts are its own.
  const first = Math.floor(Math.random() * 2 ** 30) * 2 ** 20;
  const on = (types, take) => {
    for (const type of types.split(" "))
      element.addEventListener(type, take, { signal: closer.signal, passive: false });
  };
  const send = (event, body) => {
    const [x, y] = toPoint(event), t = performance.timeOrigin + event.timeStamp;
    client.publish(`gesture/${session}`, { ...body, x, y, t });
  };
  const touch = (phase, event) => {
    const contact = { gesture: "pointer", phase, pointer: first + event.pointerId };
    contacts.set(event.pointerId, { event, at: event.timeStamp });
    send(event, contact);
  };
  on("pointerdown", (event) => {
    if (event.button) return;
    element.setPointerCapture(event.pointerId);
    touch("began", event);
  });
  on("pointermove", (event) => {
    if (!contacts.has(event.pointerId)) return;
    const samples = event.getCoalescedEvents?.() ?? [];
    for (const one of samples.length ? samples : [event]) touch("changed", one);
  });
  on("pointerup pointercancel lostpointercapture", (event) => {
    if (!contacts.has(event.pointerId)) return;
    touch(event.type === "pointerup" ? "ended" : "cancelled", event);
    contacts.delete(event.pointerId);
  });
  on("wheel", (event) => {
    if (event.ctrlKey) return;
    event.preventDefault();
    const unit = [1, 16, element.clientHeight][event.deltaMode];
    send(event, { gesture: "wheel", dx: event.deltaX * unit, dy: event.deltaY * unit });
  });
  on("dragstart contextmenu", (event) => contacts.size && event.preventDefault());
  const rest = setInterval(() => {
    for (const { event } of contacts.values()) touch("changed", event);
  }, 900);
  Object.assign(element.style, { touchAction: "none", userSelect: "none" });
  return () => {
    for (const { event } of contacts.values()) touch("cancelled", event);
    clearInterval(rest);
    closer.abort();
    Object.assign(element.style, { touchAction, userSelect });
  };
}
