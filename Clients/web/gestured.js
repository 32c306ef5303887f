// Draws and touches sessions of gestured: see README.md, and gestured.d.ts for each name.

// Milliseconds: of silence, between attempts, between repeats of a contact.
const SILENCE = 5e3, PAUSE = 100, PAUSE_MAX = 2e3, REPEAT = 900

const tell = (to, type, detail) => to.dispatchEvent(new CustomEvent(type, {detail}))
const sleep = time => new Promise(wake => setTimeout(wake, time))

export class GesturedError extends Error {}

export const connect = url => new Client(url)

export class Client extends EventTarget {
	web = null
	#socket; #last = 0; #takers = new Set(); #requests = new Map()

	constructor(url = "/") {
		super()
		let run
		this.subscribe("heartbeat", (_, {epoch}) => epoch === run || this.#turn("open", run = epoch))
		this.#run(url)
	}

	async request(op, fields) {
		const id = ++this.#last
		for (; this.state !== "closed"; await sleep(PAUSE)) {
			if (!this.#send({request: {...fields, op, id}})) continue
			const reply = await new Promise(end => this.#requests.set(id, end)), {error} = reply
			this.#requests.delete(id)
			if (!error) return reply
			if (error.code !== "unavailable" || !fields?.body?.id) throw Object.assign(new GesturedError, error)
		}
		throw Object.assign(new GesturedError, {code: "closed"})
	}

	publish(topic, body) { return this.#send({topic, body}) }

	acknowledged(topic, body) {
		if (!topic.startsWith("gesture/")) body = {id: `${Math.random()}`, ...body}
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

	watch(session) { return new Session(this, session) }

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
		if (this.state !== "closed") tell(this, "state", this.state = state)
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
					const {topic = "", body, web, reply, error} = JSON.parse(data)
					for (const {prefix, take} of [...this.#takers])
						if (topic.startsWith(prefix)) take(topic, body)
					this.#requests.get(reply?.id)?.(reply)
					if (error) tell(this, "refused", error)
					if (web) tell(this, "web", this.web = web)
					clearTimeout(timer)
					// A daemon's heart beats each second.
					if (this.web?.daemon) timer = setTimeout(lose, SILENCE)
				}
			})
			socket.close()
			this.#turn("waiting")
			for (const end of this.#requests.values()) end({error: {code: "unavailable"}})
			await sleep(pause)
		}
	}
}

// Keeps to docs/protocol.md, "Joining" and "Epochs and gaps".
function follow(client, own, show) {
	const {name} = own, lives = {}
	let seqs, sync
	const split = epoch => `${epoch}`.split(/\.(?=\d+$)/)
	const isOld = (epoch, [run, life] = split(epoch)) => life < lives[run]
	const adopt = (epoch, [run, life] = split(epoch)) => {
		if (epoch === own.epoch) return
		lives[split(own.epoch)[0]] = Infinity
		lives[run] = +life
		own.epoch = epoch
		seqs = {}
	}
	const join = () => {
		sync?.()
		const end = sync = client.subscribe(`sync/${Math.random()}`, async () => {
			end()
			const was = own.epoch
			const reply = await client.request("snapshot", {session: name}).catch(error => error)
			const {code, epoch = was, updates = []} = reply, isGone = code === "unknown-session"
			if (sync !== end || code === "closed") return
			if (isGone ? was !== own.epoch : code || isOld(epoch)) return setTimeout(join, PAUSE)
			sync = null
			if (isGone) show("session", {event: "closed"})
			else adopt(epoch)
			for (const {topic, body} of updates) {
				const [kind] = topic.split("/")
				show(kind, body)
				seqs[kind] = Math.max(seqs[kind] ?? 0, body.seq)
			}
			own.joined = true
			tell(own, "joined")
		})
	}
	const take = (topic, body, {epoch, seq, since = seq} = body) => {
		const [kind, whose] = topic.split("/")
		if (whose !== name || isOld(epoch)) return
		if (epoch !== own.epoch && !sync) join()
		adopt(epoch)
		const last = seqs[kind] ?? since - 1, missed = since - last - 1
		if (seq <= last) return
		seqs[kind] = seq
		show(kind, body)
		if (missed <= 0) return
		own.gaps++
		tell(own, "gap", {kind, missed})
		join()
	}
	const ends = ["scene", "frame", "session", "rejected"].map(
		kind => client.subscribe(`${kind}/${name}`, take))
	client.addEventListener("state", join)
	join()
	return () => {
		client.removeEventListener("state", join)
		for (const end of [...ends, sync]) end?.(sync = null)
	}
}

export class Session extends EventTarget {
	scene = null; states = new Map(); badge = null; epoch = null; gaps = 0; joined = false
	#offset

	constructor(client, name) {
		super().name = name
		this.close = follow(client, this, (kind, body) => this.#show(kind, body))
	}

	// A state comes only when it changes, so its motion took one frame.
	at(now = performance.now()) {
		const frame = 1e3 / (this.scene?.frame_rate ?? 60), t = now - this.#offset - frame
		const shown = new Map(this.states)
		for (const [id, b] of shown) {
			const a = b.former, f = a ? 1 - (b.t - t) / Math.min(frame, b.t - a.t) : 1, views = {...a?.views}
			for (const key in views) views[key] = interpolate(views[key], b.views[key] ?? views[key], f)
			if (f < 1) shown.set(id, {...a, views})
		}
		return shown
	}

	#show(kind, body) {
		const {event, epoch, revision, seq, t, states, transitions = [], badge} = body
		if (kind === "scene" && !(epoch === this.scene?.epoch && revision <= this.scene.revision)) {
			this.#offset = Infinity
			this.scene = body
		}
		if (kind === "frame") {
			// The first frame of a scene has all states.
			if (this.#offset === Infinity) this.states.clear()
			this.#offset = Math.min(performance.now() - t, this.#offset + 1)
			for (const state of states) {
				const id = state.component, last = this.states.get(id)
				const former = last?.t < t ? {...last, former: null} : last?.former
				if (!(last?.seq > seq)) this.states.set(id, {...state, seq, t, former})
			}
			if (badge?.version > (this.badge?.version ?? 0)) tell(this, "badge", this.badge = badge)
			for (const one of transitions) tell(this, "transition", one)
		}
		if (/closed|expired/.test(event)) {
			this.states.clear()
			tell(this, "scene", this.scene = this.badge = null)
		}
		tell(this, kind, body)
	}
}

export function interpolate(a, b, f) {
	if (f >= 1) return b
	if (f <= 0 || b.cut > (a.cut ?? 0)) return a
	const view = {...a}, turns = (b.rotation - a.rotation) / 2 / Math.PI
	view.rotation += (turns - Math.round(turns)) * 2 * Math.PI * f
	for (const key of ["x", "y", "w", "h", "scale", "alpha"]) view[key] += (b[key] - a[key]) * f
	return view
}

// The views that look as their component; others have a table of their name.
const MAIN = /^(navigation.*|tipstip|tossitem|profilecontent|listrow|reader(page|incoming)|tabsbar)$/

export function layers(scene, states, parent = null, slot = null) {
	const isHere = one => one.parent === parent && one.slot === slot && states.has(one.id)
	return (scene?.components ?? []).filter(isHere).map(one => {
		const {id, kind, frame: [left, top, w, h], clip, content, parameters: {items = [], tips}} = one
		const {views, model} = states.get(id), isScreen = kind === "navigation"
		const look = (view, [name, rest] = view.split(/-(.*)/)) => ({
			text: name === "row" ? `Row ${rest}` : /tip|page/.test(name) ? model.title : undefined,
			...MAIN.test(kind + name) && content,
			...isScreen ? content.screens?.[view] : content[name === "label" ? "name" : name],
			...name === "tip" && (model.content ?? tips?.[model.index]?.content),
		})
		const children = Object.entries(views).map(([view, at]) => {
			const item = items.find(({id}) => (kind === "tabs" ? "item-" + id : id) === view)
			const content = item ? item.content ?? {} : look(view), {x, y, w, h} = at
			return {
				...at, key: `${id}/${view}`, component: id, view, left: x - w / 2, top: y - h / 2,
				round: item?.shape === "circle", clip: false, content, text: content.text,
				children: layers(scene, states, id, view),
			}
		}).sort((a, b) => a.z - b.z)
		return {key: id, component: id, view: null, left, top, w, h, rotation: 0, scale: 1, alpha: 1,
			round: false, clip, content, children}
	})
}

// The element's box, as it is laid out, is the viewport, however it is zoomed.
export function capture(element, client, session, toPoint = ({clientX, clientY}) => {
	const {x, y, width} = element.getBoundingClientRect(), zoom = width / element.offsetWidth
	return [(clientX - x) / zoom, (clientY - y) / zoom]
}) {
	const contacts = new Map(), ends = new AbortController()
	// Others may touch the session, too: the numbers begin elsewhere.
	const first = Math.random() * 2 ** 31 | 0
	const publish = body => client.publish(`gesture/${session}`, body)
	const send = (event, body) => {
		const [x, y] = toPoint(event)
		publish(Object.assign(body, {x, y, t: performance.timeOrigin + event.timeStamp}))
	}
	const repeat = phase => contacts.forEach(body => publish({...body, phase}))
	const timer = setInterval(repeat, REPEAT, "changed")
	const on = (type, take) =>
		element.addEventListener(type, take, {signal: ends.signal, passive: false})
	const touch = (type, phase) => on(type, event => {
		const id = event.pointerId, all = event.getCoalescedEvents()
		if (phase === "began" ? event.button : !contacts.has(id)) return
		if (phase === "began") element.setPointerCapture(id)
		contacts.set(id, {gesture: "pointer", phase, pointer: first + id})
		for (const one of all.length ? all : [event]) send(one, contacts.get(id))
		if (/ended|cancelled/.test(phase)) contacts.delete(id)
	})
	touch("pointerdown", "began")
	touch("pointermove", "changed")
	touch("pointerup", "ended")
	touch("lostpointercapture", "cancelled")
	on("wheel", event => {
		if (event.ctrlKey) return
		event.preventDefault()
		const unit = [1, 16, element.clientHeight][event.deltaMode]
		send(event, {gesture: "wheel", dx: event.deltaX * unit, dy: event.deltaY * unit})
	})
	const style = value => Object.assign(element.style, {touchAction: value, userSelect: value})
	style("none")
	return () => {
		ends.abort()
		clearInterval(timer)
		repeat("cancelled")
		style("")
	}
}
