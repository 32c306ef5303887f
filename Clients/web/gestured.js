// Draws and touches sessions of gestured. README.md says how; gestured.d.ts explains each name.

export class GesturedError extends Error {
	constructor({ code, message }) {
		super(message);
		this.code = code;
	}
}

// Milliseconds: silence that ends an attempt or a connection, and pauses between attempts.
const SILENCE = 5e3, PAUSE = 100, PAUSE_MAX = 2e3, NEVER = 1e9;
// States kept of a component; frames behind the newest; milliseconds between a contact's repeats.
const PAST_MAX = 32, BEHIND = 1.25, REST = 900;

const tell = (target, type, detail) => target.dispatchEvent(new CustomEvent(type, { detail }));
const unique = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

export const connect = (url) => new Client(url);

export class Client extends EventTarget {
	web = null;
	#socket; #timer; #epoch; #pause = PAUSE; #last = 0; #takers = new Set(); #requests = new Map();

	constructor(url = "/") {
		super();
		this.subscribe("heartbeat", (_, { epoch }) => {
			if (this.#epoch && epoch !== this.#epoch) tell(this, "live");
			this.#epoch = epoch;
		});
		this.#connect(`${new URL(url, location)}`.replace(/^http/, "ws"));
	}

	async request(op, fields) {
		while (this.state !== "open") {
			if (this.state === "closed") throw new GesturedError({ code: "closed" });
			await new Promise((next) => this.addEventListener("state", next, { once: true }));
		}
		const id = ++this.#last;
		this.#send({ request: { ...fields, op, id } });
		return new Promise((resolve, reject) => this.#requests.set(id, { resolve, reject }));
	}

	publish(topic, body) {
		return this.#send({ topic, body });
	}

	async acknowledged(topic, body) {
		if (!topic.startsWith("gesture/")) body = { id: unique(), ...body };
		for (;;)
			try {
				return await this.request("publish", { topic, body });
			} catch (error) {
				if (!body.id || error.code !== "unavailable") throw error;
				await new Promise((next) => setTimeout(next, PAUSE));
			}
	}

	subscribe(prefix, take) {
		const one = { prefix, take };
		this.#takers.add(one);
		this.#send({ subscribe: prefix });
		return () => {
			this.#takers.delete(one);
			for (const other of this.#takers) if (other.prefix === prefix) return;
			this.#send({ unsubscribe: prefix });
		};
	}

	watch(session) {
		return new Session(this, session);
	}

	close() {
		this.#leave("closed", "closed");
	}

	#send(message) {
		const isOpen = this.state === "open";
		if (isOpen) this.#socket.send(JSON.stringify(message));
		return isOpen;
	}

	#turn(state, time, next) {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(next, time);
		if (this.state !== state) tell(this, "state", (this.state = state));
	}

	#connect(url) {
		const socket = this.#socket = new WebSocket(url);
		const lose = () => {
			this.#leave("waiting", "unavailable", this.#pause, () => this.#connect(url));
			this.#pause = Math.min(2 * this.#pause, PAUSE_MAX);
		};
		socket.onopen = () => {
			this.#turn("open", SILENCE, lose);
			for (const { prefix } of this.#takers) this.#send({ subscribe: prefix });
			tell(this, "live");
		};
		socket.onmessage = ({ data }) => {
			// A daemon's heart beats each second, so that silence means a lost connection.
			const message = JSON.parse(data), { daemon } = message.web ?? this.web ?? {};
			this.#turn("open", daemon ? SILENCE : NEVER, lose);
			this.#take(message);
		};
		socket.onclose = lose;
		this.#turn("connecting", SILENCE, lose);
	}

	#leave(state, code, time, next) {
		this.#socket.onclose = null;
		this.#socket.close();
		const error = { code, message: "the connection is lost" };
		for (const id of this.#requests.keys()) this.#settle({ id, error });
		this.#turn(state, time, next);
	}

	#settle(reply) {
		const { id, error } = reply, one = this.#requests.get(id);
		this.#requests.delete(id);
		error ? one?.reject(new GesturedError(error)) : one?.resolve(reply);
	}

	#take({ topic, body, web, reply, error }) {
		if (topic)
			for (const { prefix, take } of [...this.#takers])
				if (topic.startsWith(prefix)) take(topic, body);
		if (reply) this.#settle(reply);
		if (error) tell(this, "refused", error);
		if (!web) return;
		const isBack = web.daemon && this.web?.daemon === false;
		this.#pause = PAUSE;
		tell(this, "web", (this.web = web));
		if (isBack) tell(this, "live");
	}
}

export class Session extends EventTarget {
	scene = null; states = new Map(); badge = null; epoch = null; gaps = 0; joined = false;
	#client; #ends; #sync; #timer; #offset;
	// Former runs of the daemon; the last `seq` by kind; states by component; frames without a gap.
	#runs = new Set(); #seqs = {}; #past = new Map(); #since;

	constructor(client, name) {
		super();
		this.name = name;
		this.#client = client;
		const join = () => this.#join();
		this.#ends = ["scene", "frame", "session", "rejected"].map((kind) => client.subscribe(
			`${kind}/${name}`, (topic, body) => topic === `${kind}/${name}` && this.#take(kind, body)));
		this.#ends.push(() => client.removeEventListener("live", join));
		client.addEventListener("live", join);
		join();
	}

	at(now = performance.now()) {
		const t = now - this.#offset - BEHIND * this.#step;
		const shown = ([id, state]) => [id, between(this.#past.get(id), t) ?? state];
		return new Map([...this.states].map(shown));
	}

	close() {
		this.#rest();
		for (const end of this.#ends) end();
	}

	get #step() {
		return 1000 / (this.scene?.frame_rate ?? 60);
	}

	#rest() {
		this.#sync?.();
		clearTimeout(this.#timer);
		this.#sync = this.#timer = null;
	}

	#wait() {
		this.#rest();
		this.#timer = setTimeout(() => this.#join(), SILENCE);
	}

	#join() {
		this.#wait();
		this.#sync = this.#client.subscribe(`sync/${unique()}`, () => this.#ask());
	}

	async #ask() {
		this.#wait();
		const { epoch } = this;
		let reply;
		try {
			reply = await this.#client.request("snapshot", { session: this.name });
		} catch ({ code }) {
			if (code !== "unknown-session") return;
		}
		if (!this.#timer) return;
		if (reply ? this.#isOld(reply.epoch) : epoch !== this.epoch) return this.#ask();
		this.#rest();
		this.#show(reply);
	}

	// What came while the snapshot was on its way stays where it is newer.
	#show(reply) {
		if (reply) this.#adopt(reply.epoch);
		else this.#forget();
		for (const { topic, body } of reply?.updates ?? []) {
			const [kind] = topic.split("/"), last = this.#seqs[kind];
			if (kind === "scene") this.#stage(body);
			if (kind === "frame") this.#paint(body);
			this.#seqs[kind] = body.seq < last ? last : body.seq;
			if (kind === "frame" && this.#since > body.seq + 1) this.#ask();
		}
		this.joined = true;
		tell(this, "joined", reply);
	}

	// Judges by the table of "Joining".
	#take(kind, body) {
		if (this.#isOld(body.epoch)) return;
		const isNew = body.epoch !== this.epoch, since = body.since ?? body.seq;
		this.#adopt(body.epoch);
		if (isNew && !this.#timer) this.#join();
		const last = this.#seqs[kind], missed = since - last - 1;
		if (body.seq <= last) return;
		this.#seqs[kind] = body.seq;
		if (kind === "scene") this.#stage(body);
		else if (kind === "frame") {
			if (!(missed <= 0)) this.#since = since;
			this.#offset = Math.min(performance.now() - body.t, this.#offset + 1);
			this.#paint(body, missed > 0);
		} else {
			if (/closed|expired/.test(body.event)) this.#forget();
			tell(this, kind, body);
		}
		if (!(missed > 0)) return;
		tell(this, "gap", { kind, missed, gaps: ++this.gaps });
		if (!this.#timer) this.#ask();
	}

	#isOld(epoch) {
		const [run, life] = split(epoch), [ownRun, ownLife] = split(this.epoch);
		return run === ownRun ? life < ownLife : this.#runs.has(run);
	}

	#adopt(epoch) {
		if (epoch === this.epoch) return;
		const [run] = split(this.epoch);
		if (run !== split(epoch)[0]) this.#runs.add(run);
		this.epoch = epoch;
		this.#seqs = {};
		this.#past.clear();
		this.#offset = Infinity;
	}

	#forget() {
		this.states.clear();
		this.badge = null;
		if (this.scene) tell(this, "scene", (this.scene = null));
	}

	#stage(body) {
		const { epoch, revision, components } = body, ids = components.map(({ id }) => id);
		if (epoch === this.scene?.epoch && revision <= this.scene.revision) return;
		for (const id of this.states.keys()) if (!ids.includes(id)) this.states.delete(id);
		this.#past.clear();
		tell(this, "scene", (this.scene = body));
	}

	// A state comes only when it changes: its motion took one frame, unless frames are missing.
	#paint(body, isGap) {
		const { seq, t, states, transitions = [], badge } = body, from = isGap ? 0 : t - this.#step;
		for (const state of states) {
			const id = state.component, past = this.#past.get(id) ?? [];
			if (past.at(-1)?.seq > seq) continue;
			const kept = past.filter((one) => one.t < t).slice(1 - PAST_MAX);
			this.#past.set(id, [...kept, { seq, t, from, state }]);
			this.states.set(id, state);
		}
		if (badge && !(badge.version <= this.badge?.version)) tell(this, "badge", (this.badge = badge));
		for (const one of transitions) tell(this, "transition", one);
		tell(this, "frame", body);
	}
}

const split = (epoch) => /(.*)\.(\d+)$/.exec(epoch)?.slice(1) ?? [];

function between(past = [], t) {
	const next = past.findIndex((one) => one.t > t), a = past.at(next - 1), b = past[next];
	if (next < 1) return (b ?? a)?.state;
	const from = Math.max(a.t, b.from), f = (t - from) / (b.t - from);
	const blend = ([id, view]) => [id, interpolate(view, b.state.views[id] ?? view, f)];
	const views = () => Object.fromEntries(Object.entries(a.state.views).map(blend));
	return f > 0 ? { ...a.state, views: views() } : a.state;
}

const short = (turn) => turn - 2 * Math.PI * Math.round(turn / 2 / Math.PI);

export function interpolate(a, b, f) {
	if (f >= 1) return b;
	if (f <= 0 || (b.cut ?? 0) > (a.cut ?? 0)) return a;
	const view = { ...a, rotation: short(a.rotation + short(b.rotation - a.rotation) * f) };
	for (const key of ["x", "y", "w", "h", "scale", "alpha"]) view[key] += (b[key] - a[key]) * f;
	return view;
}

// A main view looks as the component's own content says; others have a table of their name.
const MAIN = /^(tip|item|content|row|page|incoming|bar)$/;

function look({ kind, content, parameters: { items, menu, tips } }, { model }, view) {
	const [name, rest] = view.split(/-(.*)/), isTab = kind === "tabs", isScreen = kind === "navigation";
	if (isTab && name === "page") return {};
	const item = items?.find(({ id }) => id === (isTab ? name === "item" && rest : view));
	if (item) return item.content ?? {};
	const counts = Object.values(model.bubble?.counts ?? {});
	const text = {
		tip: model.title, page: model.title, row: `Row ${rest}`,
		bubble: `${counts.reduce((sum, one) => sum + one, 0)} new`,
		menu: menu?.map(({ id, content }) => content?.text ?? id).join("   "),
	}[name];
	const table = isScreen ? content.screens?.[view] : content[name === "label" ? "name" : name];
	const card = name === "tip" && (model.content ?? tips?.[model.index]?.content);
	return { text, ...((isScreen || MAIN.test(name)) && content), ...table, ...card };
}

export function layers(scene, states) {
	const held = Object.groupBy(scene?.components ?? [], ({ parent, slot }) => [parent, slot]);
	const inside = (slot) => (held[slot] ?? []).filter(({ id }) => states.has(id)).map((one) => {
		const { id, frame: [left, top, w, h], clip, content } = one, { views } = states.get(id);
		const list = Object.entries(views).sort(([, a], [, b]) => a.z - b.z);
		const children = list.map(([view, at]) => layer(one, view, at));
		return { ...PLAIN, key: id, component: id, left, top, w, h, clip, content, children };
	});
	const layer = (one, view, { x, y, w, h, rotation, scale, alpha }) => {
		const { id, kind, parameters: { items } } = one, key = `${id}/${view}`;
		const isCircle = (item) => item.id === view && item.shape === "circle";
		const content = look(one, states.get(id), view), round = kind === "dynamics" && items.some(isCircle);
		return { ...PLAIN, key, component: id, view, left: x - w / 2, top: y - h / 2, w, h,
			rotation, scale, alpha, round, content, text: content.text, children: inside([id, view]) };
	};
	return inside([null, null]);
}

const PLAIN = { view: null, rotation: 0, scale: 1, alpha: 1, round: false, clip: false };

// Points of the element's box as it is laid out, however it is zoomed.
const pointIn = (element) => ({ clientX, clientY }) => {
	const { left, top, width, height } = element.getBoundingClientRect();
	const { offsetWidth, offsetHeight, clientLeft, clientTop } = element;
	return [(clientX - left) / width * offsetWidth - clientLeft,
		(clientY - top) / height * offsetHeight - clientTop];
};

export function capture(element, client, session, toPoint = pointIn(element)) {
	const contacts = new Map(), { style } = element, { touchAction } = style, ends = new AbortController();
	// Several screens may touch a session at once: each numbers its contacts from elsewhere.
	const first = Math.floor(Math.random() * 2 ** 30) * 2 ** 20;
	const on = (types, take) => types.split(" ").forEach((type) =>
		element.addEventListener(type, take, { signal: ends.signal, passive: false }));
	const publish = (body) => client.publish(`gesture/${session}`, body);
	const send = (event, fields) => {
		const [x, y] = toPoint(event), t = performance.timeOrigin + event.timeStamp;
		const body = { ...fields, x, y, t };
		publish(body);
		return body;
	};
	const touch = (event, phase) => {
		const id = event.pointerId;
		contacts.set(id, send(event, { gesture: "pointer", phase, pointer: first + id }));
		if (/ended|cancelled/.test(phase)) contacts.delete(id);
	};
	const again = (phase) => {
		for (const body of contacts.values()) publish({ ...body, phase });
	};
	on("pointerdown", (event) => {
		if (event.button) return;
		element.setPointerCapture(event.pointerId);
		touch(event, "began");
	});
	on("pointermove pointerup pointercancel lostpointercapture", (event) => {
		if (!contacts.has(event.pointerId)) return;
		const { type } = event, samples = type === "pointermove" ? event.getCoalescedEvents() : [];
		for (const one of samples.length ? samples : [event])
			touch(one, { pointermove: "changed", pointerup: "ended" }[type] ?? "cancelled");
	});
	on("selectstart dragstart contextmenu", (event) => contacts.size && event.preventDefault());
	on("wheel", (event) => {
		if (event.ctrlKey) return;
		event.preventDefault();
		const unit = [1, 16, element.clientHeight][event.deltaMode];
		send(event, { gesture: "wheel", dx: event.deltaX * unit, dy: event.deltaY * unit });
	});
	const timer = setInterval(again, REST, "changed");
	style.touchAction = "none";
	return () => {
		ends.abort();
		clearInterval(timer);
		again("cancelled");
		style.touchAction = touchAction;
	};
}
