// Draws and touches sessions of gestured: see README.md, and gestured.d.ts for each name.

// Milliseconds: of silence, between attempts, between repeats of a contact.
const SILENCE = 5e3, PAUSE = 100, PAUSE_MAX = 2e3, REPEAT = 900

const tell = (target, type, detail) => target.dispatchEvent(new CustomEvent(type, {detail}))
const unique = () => crypto.getRandomValues(new Uint32Array(4)).join("-")
const sleep = time => new Promise(wake => setTimeout(wake, time))

export class GesturedError extends Error {
	constructor({code, message = code}) {
		super(message).code = code
	}
}

export const connect = url => new Client(url)

export class Client extends EventTarget {
	web = null
	#socket; #last = 0; #takers = new Set(); #requests = new Map()

	constructor(url = "/") {
		super()
		let run
		this.subscribe("heartbeat", (_, {epoch}) => epoch === run || this.#turn("open", run = epoch))
		this.#run(`${new URL(url, location)}`.replace("http", "ws"))
	}

	async request(op, fields) {
		const id = ++this.#last, request = {...fields, op, id}
		for (; this.state !== "closed"; await sleep(PAUSE)) {
			if (!this.#send({request})) continue
			const reply = await new Promise(end => this.#requests.set(id, end)), {error} = reply
			this.#requests.delete(id)
			if (!error) return reply
			if (error.code !== "unavailable" || !fields?.body?.id) throw new GesturedError(error)
		}
		throw new GesturedError({code: "closed"})
	}

	publish(topic, body) {
		return this.#send({topic, body})
	}

	acknowledged(topic, body) {
		if (!topic.startsWith("gesture/")) body = {id: unique(), ...body}
		return this.request("publish", {topic, body})
	}

	subscribe(prefix, take) {
		const one = {prefix, take}
		this.#takers.add(one)
		this.#send({subscribe: prefix})
		return () => {
			this.#takers.delete(one)
			for (const other of this.#takers) if (other.prefix === prefix) return
			this.#send({unsubscribe: prefix})
		}
	}

	watch(session) {
		return new Session(this, session)
	}

	close() {
		this.#turn("closed")
		this.#socket.close()
	}

	#send(message) {
		const isOpen = this.state === "open"
		if (isOpen) this.#socket.send(JSON.stringify(message))
		return isOpen
	}

	#turn(state) {
		tell(this, "state", this.state = state)
	}

	async #run(url) {
		for (let pause = PAUSE; this.state !== "closed"; pause = Math.min(2 * pause, PAUSE_MAX)) {
			this.#turn("connecting")
			const socket = this.#socket = new WebSocket(url)
			await new Promise(lose => {
				let timer = setTimeout(socket.onclose = lose, SILENCE)
				socket.onopen = () => {
					this.state = "open"
					for (const {prefix} of this.#takers) this.#send({subscribe: prefix})
					this.#turn("open", pause = PAUSE)
				}
				socket.onmessage = ({data}) => {
					this.#take(JSON.parse(data))
					clearTimeout(timer)
					// A daemon's heart beats each second.
					if (this.web?.daemon) timer = setTimeout(lose, SILENCE)
				}
			})
			socket.close()
			if (this.state !== "closed") this.#turn("waiting")
			for (const end of this.#requests.values()) end({error: {code: "unavailable"}})
			await sleep(pause)
		}
	}

	#take({topic = "", body, web, reply, error}) {
		for (const {prefix, take} of [...this.#takers]) if (topic.startsWith(prefix)) take(topic, body)
		this.#requests.get(reply?.id)?.(reply)
		if (error) tell(this, "refused", error)
		if (web) tell(this, "web", this.web = web)
	}
}

// Keeps to docs/protocol.md, "Joining" and "Epochs and gaps".
function follow(client, session, show) {
	const {name} = session, lives = {}
	let seqs, sync
	const split = epoch => `${epoch}`.split(/\.(?=\d+$)/)
	const isOld = (epoch, [run, life] = split(epoch)) => life < lives[run]
	const adopt = (epoch, [run, life] = split(epoch)) => {
		if (epoch === session.epoch) return
		lives[split(session.epoch)[0]] = Infinity
		lives[run] = +life
		session.epoch = epoch
		seqs = {}
	}
	const join = () => {
		sync?.()
		const end = sync = client.subscribe(`sync/${unique()}`, async () => {
			end()
			const {epoch} = session
			const reply = await client.request("snapshot", {session: name}).catch(error => error)
			const {code, updates = []} = reply, isGone = code === "unknown-session"
			if (sync !== end || code === "closed") return
			if (code && !isGone) return setTimeout(join, PAUSE_MAX)
			if (isGone ? epoch !== session.epoch : isOld(reply.epoch)) return join()
			sync = null
			if (isGone) show("session", {event: "closed"})
			else adopt(reply.epoch)
			for (const {topic, body} of updates) {
				const [kind] = topic.split("/")
				show(kind, body)
				seqs[kind] = Math.max(seqs[kind] ?? 0, body.seq)
			}
			session.joined = true
			tell(session, "joined", code ? null : reply)
		})
	}
	const take = (kind, body, {epoch, seq, since = seq} = body) => {
		if (isOld(epoch)) return
		if (epoch !== session.epoch && !sync) join()
		adopt(epoch)
		const last = seqs[kind] ?? since - 1, missed = since - last - 1
		if (seq <= last) return
		seqs[kind] = seq
		show(kind, body)
		if (missed <= 0) return
		session.gaps++
		tell(session, "gap", {kind, missed})
		join()
	}
	const ends = ["scene", "frame", "session", "rejected"].map(kind => client.subscribe(
		`${kind}/${name}`, (topic, body) => topic === `${kind}/${name}` && take(kind, body)))
	client.addEventListener("state", join)
	join()
	return () => {
		client.removeEventListener("state", join)
		for (const end of [...ends, sync]) end?.(sync = null)
	}
}

export class Session extends EventTarget {
	scene = null; states = new Map(); badge = null; epoch = null; gaps = 0; joined = false
	#past = new Map(); #offset

	constructor(client, name) {
		super().name = name
		this.close = follow(client, this, (kind, body) => this.#show(kind, body))
	}

	// One frame behind the newest; a state comes only when it changes, so its motion took a frame.
	at(now = performance.now()) {
		const frame = 1e3 / (this.scene?.frame_rate ?? 60), t = now - this.#offset - frame
		return new Map([...this.states].map(([id, state]) => {
			const [b, a] = this.#past.get(id) ?? []
			const f = a ? 1 - (b.t - t) / Math.min(frame, b.t - a.t) : 1
			return [id, f < 1 ? {...a.state, views: blend(a.state.views, state.views, f)} : state]
		}))
	}

	#show(kind, body) {
		if (kind === "scene") this.#stage(body)
		if (kind === "frame") this.#paint(body)
		if (/closed|expired/.test(body.event)) {
			this.states.clear()
			tell(this, "scene", this.scene = this.badge = null)
		}
		tell(this, kind, body)
	}

	#stage(scene) {
		const {epoch, revision, components} = scene
		if (epoch === this.scene?.epoch && revision <= this.scene.revision) return
		for (const id of this.states.keys())
			if (!components.some(one => one.id === id)) this.states.delete(id)
		this.#past.clear()
		this.#offset = Infinity
		this.scene = scene
	}

	#paint({seq, t, states, transitions = [], badge}) {
		this.#offset = Math.min(performance.now() - t, this.#offset + 1)
		for (const state of states) {
			const id = state.component, [last, former] = this.#past.get(id) ?? []
			if (last?.seq > seq) continue
			this.#past.set(id, [{seq, t, state}, last?.t < t ? last : former])
			this.states.set(id, state)
		}
		if (badge?.version > (this.badge?.version ?? 0)) tell(this, "badge", this.badge = badge)
		for (const one of transitions) tell(this, "transition", one)
	}
}

const blend = (a, b, f) => Object.fromEntries(
	Object.entries(a).map(([id, view]) => [id, interpolate(view, b[id] ?? view, f)]))
const short = turn => turn - 2 * Math.PI * Math.round(turn / 2 / Math.PI)

export function interpolate(a, b, f) {
	if (f >= 1) return b
	if (f <= 0 || b.cut > (a.cut ?? 0)) return a
	const view = {...a, rotation: short(a.rotation + short(b.rotation - a.rotation) * f)}
	for (const key of ["x", "y", "w", "h", "scale", "alpha"]) view[key] += (b[key] - a[key]) * f
	return view
}

// A main view looks as its component says; others have a table of their name.
function look({kind, content, parameters: {items, tips}}, {model}, view) {
	const [name, rest] = view.split(/-(.*)/), isScreen = kind === "navigation"
	const item = items?.find(({id}) => id === (kind === "tabs" ? name === "item" && rest : view))
	if (item || kind + name === "tabspage") return {...item?.content}
	const {title, bubble, index} = model, counts = Object.values(bubble?.counts ?? {})
	const news = `${counts.reduce((a, b) => a + b, 0)} new`
	return {
		text: {tip: title, page: title, row: `Row ${rest}`, bubble: news}[name],
		...(isScreen || /^(tip|item|content|row|page|incoming|bar)$/.test(name)) && content,
		...isScreen ? content.screens?.[view] : content[name === "label" ? "name" : name],
		...name === "tip" && (model.content ?? tips?.[index]?.content),
	}
}

export function layers(scene, states, parent = null, slot = null) {
	const plain = {view: null, rotation: 0, scale: 1, alpha: 1, round: false, clip: false}
	const isHere = one => one.parent === parent && one.slot === slot && states.has(one.id)
	return (scene?.components ?? []).filter(isHere).map(one => {
		const {id, frame: [left, top, w, h], clip, content, parameters: {items = []}} = one
		const state = states.get(id), views = Object.entries(state.views)
		const children = views.sort(([, a], [, b]) => a.z - b.z).map(([view, at]) => {
			const content = look(one, state, view), isCircle = ({id, shape}) => id === view && shape === "circle"
			const left = at.x - at.w / 2, top = at.y - at.h / 2, round = items.some(isCircle)
			return {...plain, ...at, key: `${id}/${view}`, component: id, view, left, top, round, content,
				text: content.text, children: layers(scene, states, id, view)}
		})
		return {...plain, key: id, component: id, left, top, w, h, clip, content, children}
	})
}

// Points of the element's box as it is laid out, however it is zoomed.
const pointIn = element => ({clientX, clientY}) => {
	const {x, y, width, height} = element.getBoundingClientRect()
	return [(clientX - x) * element.offsetWidth / width, (clientY - y) * element.offsetHeight / height]
}

const PHASES = {pointerdown: "began", pointermove: "changed", pointerup: "ended",
	pointercancel: "cancelled", lostpointercapture: "cancelled"}

export function capture(element, client, session, toPoint = pointIn(element)) {
	const contacts = new Map(), ends = new AbortController(), {style} = element, {touchAction} = style
	// Several screens may touch a session at once: each numbers its contacts from elsewhere.
	const first = Math.floor(Math.random() * 2 ** 50)
	const publish = body => client.publish(`gesture/${session}`, body)
	const send = (event, body) => {
		const [x, y] = toPoint(event), t = performance.timeOrigin + event.timeStamp
		publish(Object.assign(body, {x, y, t}))
	}
	const repeat = phase => contacts.forEach(body => publish({...body, phase}))
	const timer = setInterval(repeat, REPEAT, "changed")
	const on = (type, take) =>
		element.addEventListener(type, take, {signal: ends.signal, passive: false})
	for (const type in PHASES) on(type, event => {
		const id = event.pointerId, phase = PHASES[type], isDown = phase === "began"
		if (isDown ? event.button : !contacts.has(id)) return
		if (isDown) element.setPointerCapture(id)
		const all = event.getCoalescedEvents(), body = {gesture: "pointer", phase, pointer: first + id}
		contacts.set(id, body)
		for (const one of all.length ? all : [event]) send(one, body)
		if (/ended|cancelled/.test(phase)) contacts.delete(id)
	})
	for (const type of ["selectstart", "dragstart", "contextmenu"])
		on(type, event => contacts.size && event.preventDefault())
	on("wheel", event => {
		if (event.ctrlKey) return
		event.preventDefault()
		const unit = [1, 16, element.clientHeight][event.deltaMode]
		send(event, {gesture: "wheel", dx: event.deltaX * unit, dy: event.deltaY * unit})
	})
	style.touchAction = "none"
	return () => {
		ends.abort()
		clearInterval(timer)
		repeat("cancelled")
		style.touchAction = touchAction
	}
}
