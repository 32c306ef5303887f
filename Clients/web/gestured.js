// See README.md.

// Milliseconds: of silence, between attempts, of a contact's repeat, of a wheel's series.
const SILENCE = 5e3, PAUSE = 100, PAUSE_MAX = 2e3, REPEAT = 900, SERIES = 150
// Milliseconds by which motion is drawn late, at least and at most. A longer pause is a rest.
const LATE_MIN = 8, LATE_MAX = 50
// Frames whose arrivals count, and the part of them that shall come in time.
const ARRIVALS = 60, IN_TIME = 0.95
// The most milliseconds that the picture falls back within one frame, and the part by which it
// catches up. A larger difference than a JUMP is another clock.
const FALL = 4, CATCH_UP = 1 / 8, JUMP = 250
// Time runs slower by this part for a view that was let go, until it is as late as all others.
const EASE = 0.1
// States that are kept of a component: LATE_MAX at 120 frames a second, and one at either end.
const KEPT = 8
// Milliseconds until a view that was let go is as late as all others.
const FORGOTTEN = LATE_MAX + LATE_MAX / EASE
// Keys: in a state, how long the motion to it takes; among held views, the component as a whole.
const SPAN = Symbol("span"), WHOLE = Symbol("whole")
// Pixels of the screen that a contact moves until it drags, and clicks nothing any more.
const SLOP = 10

const tell = (to, type, detail) => to.dispatchEvent(new CustomEvent(type, {detail}))

// The sessions that each client watches, by name: a wheel must know at once what lies under it.
const watched = new WeakMap()

export class GesturedError extends Error {}

export const connect = url => new Client(url)

export class Client extends EventTarget {
	web = null
	#socket; #takers = new Set(); #requests = {}; #daemon; #bound = new Set(); #pauses = new Map()

	constructor(url = ".") {
		super()
		watched.set(this, new Map())
		let timer
		this.subscribe("heartbeat", () => {
			clearTimeout(timer)
			timer = setTimeout(() => this.#socket.onclose?.(), SILENCE)
		})
		this.#run(url)
	}

	async request(op, fields) {
		let id = Math.random()
		for (; this.state !== "closed"; await new Promise(wake => setTimeout(wake, PAUSE))) {
			if (!this.#send({request: {...fields, op, id}})) continue
			let {error, ...reply} = await new Promise(end => this.#requests[id] = end)
			delete this.#requests[id]
			if (!error) return reply
			if (error.code !== "unavailable" || !fields?.body?.id)
				throw Object.assign(new GesturedError, error)
		}
		throw Object.assign(new GesturedError, {code: "closed"})
	}

	publish(topic, body) { return this.#send({topic, body}) }

	acknowledged(topic, body) {
		if (!topic.startsWith("gesture/")) body = {id: `${Math.random()}`, ...body}
		return this.request("publish", {topic, body})
	}

	subscribe(prefix, take) {
		let one = {prefix, take}
		this.#takers.add(one)
		this.#send({subscribe: prefix})
		return () => {
			this.#takers.delete(one)
			for (let other of this.#takers) if (other.prefix === prefix) return
			this.#send({unsubscribe: prefix})
		}
	}

	bind(session) {
		let one = {session}
		this.#bound.add(one)
		this.#send({bind: session})
		return () => {
			this.#bound.delete(one)
			for (let other of this.#bound) if (other.session === session) return
			this.#send({unbind: session})
		}
	}

	watch(session) { return new Session(this, session) }

	close() {
		this.#turn("closed")
		this.#socket.onclose?.()
	}

	#send(message) {
		return this.state === "open" && !this.#socket.send(JSON.stringify(message))
	}

	#turn(state) {
		if (this.state !== "closed") tell(this, "state", this.state = state)
	}

	// Heartbeats name the daemon's run. Sessions join again in another one.
	#meet(epoch) {
		let isOther = this.#daemon && epoch !== this.#daemon
		this.#daemon = epoch
		if (isOther) this.#turn("open")
	}

	// No call waits for the answer to a message, so a refusal must not vanish unread.
	#complain({code, message}) {
		let error = Object.assign(new GesturedError(message), {code}), isRead = false
		let event = new CustomEvent("error")
		Object.defineProperty(event, "detail", {get: () => (isRead = true, error)})
		this.dispatchEvent(event)
		if (!isRead) console.error(`gesture-web refused a message: ${code}: ${message}`)
	}

	// Asks again for a prefix that was refused: there may be room by then. It is reported once.
	#repeat(prefix, error, socket = this.#socket) {
		let pause = this.#pauses.get(prefix) ?? PAUSE
		if (!this.#pauses.has(prefix)) this.#complain(error)
		this.#pauses.set(prefix, Math.min(2 * pause, PAUSE_MAX))
		setTimeout(() => {
			if (socket !== this.#socket) return
			for (let other of this.#takers)
				if (other.prefix === prefix) return this.#send({subscribe: prefix})
		}, pause)
	}

	#run(url, pause = PAUSE) {
		this.#turn("connecting")
		let socket = this.#socket = new WebSocket(url)
		socket.onopen = () => {
			this.state = "open"
			this.#daemon = undefined
			this.#pauses.clear()
			for (let {prefix} of this.#takers) this.#send({subscribe: prefix})
			for (let {session} of this.#bound) this.#send({bind: session})
			this.#turn("open", pause = PAUSE)
		}
		socket.onmessage = ({data}) => {
			let {topic = "", body, web, reply, error} = JSON.parse(data)
			if (topic === "heartbeat") this.#meet(body.epoch)
			// It names the daemon's run as well, so that the first heartbeat is no news.
			if (topic.startsWith("sync/")) this.#daemon ??= body.epoch
			for (let {prefix, take} of this.#takers) if (topic.startsWith(prefix)) take(topic, body)
			this.#requests[reply?.id]?.(reply)
			if (web) tell(this, "web", this.web = web)
			if (error?.subscribe !== undefined) this.#repeat(error.subscribe, error)
			else if (error) this.#complain(error)
		}
		socket.onclose = () => {
			socket.onclose = null
			socket.close()
			this.#turn("waiting")
			for (let end of Object.values(this.#requests)) end({error: {code: "unavailable"}})
			pause = Math.min(2 * pause, PAUSE_MAX)
			setTimeout(() => this.state === "closed" || this.#run(url, pause), pause / 2)
		}
	}
}

// Whether all states and counts of a frame show already.
function shows({states, badge}, frame) {
	let isOld = !(frame.badge?.version > (badge?.version ?? 0))
	return isOld && frame.states.every(state => {
		let {seq, t, former, ...shown} = states.get(state.component) ?? {}
		return JSON.stringify(shown) === JSON.stringify(state)
	})
}

// By docs/protocol/updates.md, "Joining".
function follow(client, own, show) {
	let lives = {}
	let seqs, sync, isHealing = false
	let split = epoch => `${epoch}`.split(/\.(?=\d+$)/)
	let isOld = (epoch, [run, life = -1] = split(epoch)) => life < lives[run]
	let adopt = (epoch, [run, life] = split(epoch)) => {
		if (epoch === own.epoch) return
		lives[split(own.epoch)[0]] = Infinity
		lives[run] = BigInt(life)
		own.epoch = epoch
		seqs = {}
	}
	let join = () => {
		sync?.()
		let id = "sync/" + Math.random(), end = sync = client.subscribe(id, async topic => {
			if (topic !== id) return
			end()
			let was = own.epoch, asked = client.request("snapshot", {session: own.name})
			let {code, epoch = was, updates = []} = await asked.catch(error => error)
			let isGone = code === "unknown-session"
			if (sync !== end) return
			if (code && !isGone || isOld(epoch)) return setTimeout(join, PAUSE)
			sync = null
			if (isGone) show("gone", {event: "closed"})
			else adopt(epoch)
			for (let {topic, body} of updates) {
				let [kind] = topic.split("/")
				if (/state|badge/.test(kind)) continue
				// An update may have told the same before. A frame may show a later instant. After a
				// gap the snapshot is told as a whole: it ends what the gap left open.
				let isKnown = !isHealing && body.seq <= seqs[kind]
					&& (kind !== "frame" || shows(own, body))
				seqs[kind] = Math.max(seqs[kind] ?? 0, body.seq)
				if (!isKnown) show(kind, body, true)
			}
			own.joined = true
			isHealing = false
			tell(own, "joined", isGone ? null : epoch)
		})
	}
	let take = (topic, body, {epoch, seq, since = seq} = body) => {
		let [kind, whose] = topic.split("/")
		if (whose !== own.name || isOld(epoch)) return
		if (epoch !== own.epoch && !sync) join()
		adopt(epoch)
		let last = seqs[kind], missed = since - last - 1
		if (seq <= last) return
		seqs[kind] = seq
		show(kind, body)
		if (!(missed > 0)) return
		tell(own, "gap", {kind, missed}, own.gaps++)
		isHealing = true
		join()
	}
	let ends = ["scene/", "frame/", "session/", "rejected/"].map(
		topic => client.subscribe(topic + own.name, take))
	client.addEventListener("state", join)
	join()
	return () => {
		client.removeEventListener("state", join)
		for (let end of [...ends, sync]) end?.(sync = null)
	}
}

// When frames are drawn: so late that nearly all of them have come by then.
class Pace {
	#arrivals = []; #last
	// Milliseconds from a frame's `t` to the `performance.now()` at which it shows, and at which the
	// fastest one came.
	delay; fastest

	// Notes a frame. Gives the time that the motion to it takes.
	take(t, now, rate = 60, isAnswer) {
		let way = now - t, pause = t - this.#last
		let span = pause <= LATE_MAX ? pause : 1e3 / rate
		this.#last = t
		// The answer to a request was longer on its way than updates are.
		if (isAnswer && !this.#arrivals.length) this.delay = span + (this.fastest = way)
		if (isAnswer) return span
		this.#arrivals = [...this.#arrivals, {way, span}].slice(-ARRIVALS)
		this.fastest = Math.min(...this.#arrivals.map(one => one.way))
		let needs = this.#arrivals.map(one => one.way - this.fastest + one.span)
		let need = needs.sort((a, b) => a - b)[Math.ceil(needs.length * IN_TIME) - 1]
		this.#approach(this.fastest + Math.min(LATE_MAX, Math.max(LATE_MIN, need)))
		return span
	}

	#approach(wanted) {
		let left = wanted - this.delay
		if (this.#arrivals.length === 1 || Math.abs(left) > JUMP) this.delay = wanted
		else this.delay += Math.min(FALL, left > 0 ? left : left * CATCH_UP)
	}
}

// A component at an instant of its timeline.
function between(state, t) {
	while (state.former && t <= state.t - state[SPAN]) state = state.former
	let {former, t: end, [SPAN]: span} = state, part = 1 - (end - t) / span
	if (!former || !(part < 1)) return state
	let views = {...former.views}
	for (let key in views)
		views[key] = interpolate(views[key], state.views[key] ?? views[key], part)
	return {...former, views}
}

export class Session extends EventTarget {
	scene = null; states = new Map(); badge = null; epoch = null; gaps = 0; joined = false
	#pace = new Pace(); #isNew = false; #heldAt = new Map()

	constructor(client, name) {
		super().name = name
		let end = follow(client, this, (...news) => this.#show(...news))
		let sessions = watched.get(client).set(name, this)
		this.close = () => {
			if (sessions.get(name) === this) sessions.delete(name)
			end()
		}
	}

	at(now = performance.now()) {
		let shown = new Map()
		for (let [id, newest] of this.states) {
			let held = this.#heldAt.get(id)
			let state = between(newest, this.#instant(now, held?.get(WHOLE)))
			if (state !== newest) for (let [view, at] of held ?? []) {
				let {views} = between(newest, this.#instant(now, at))
				if (view in views && view in state.views)
					state = {...state, views: {...state.views, [view]: views[view]}}
			}
			shown.set(id, state)
		}
		return shown
	}

	// The instant that shows. A hand sees each lag, so what it holds shows the newest there is.
	#instant(now, heldAt = -Infinity) {
		let {delay, fastest} = this.#pace, since = now - heldAt
		if (since < LATE_MAX) return Infinity
		return now - Math.min(delay, fastest + (since - LATE_MAX) * EASE)
	}

	#take({t, seq, states}, isAnswer) {
		let now = performance.now(), span = this.#pace.take(t, now, this.scene?.frame_rate, isAnswer)
		// A scene's first frame has all states.
		if (this.#isNew) this.states.clear()
		this.#isNew = false
		for (let state of states) {
			let id = state.component, last = this.states.get(id)
			if (last?.seq > seq) continue
			let former = last?.t < t ? last : last?.former
			let newest = {...state, seq, t, former, [SPAN]: span}
			this.states.set(id, newest)
			this.#note(newest, last, now)
			for (let kept = 1, one = newest; one; one = one.former)
				if (++kept > KEPT) one.former = null
		}
	}

	// Notes what a hand holds, or has just moved: a component, or one thing of a world.
	#note({component, phase, model, input}, last, now) {
		let isDragging = phase === "dragging", isWorld = model && "dragged" in model
		let held = isWorld ? isDragging && (model.dragged ?? WHOLE)
			: (isDragging || model?.recognizer || input !== last?.input) && WHOLE
		if (!held) return
		let all = this.#heldAt.get(component) ?? new Map()
		this.#heldAt.set(component, all)
		for (let [view, at] of all) if (now - at > FORGOTTEN) all.delete(view)
		for (let view of [held].flat()) all.set(view, now)
	}

	#show(kind, body, isAnswer) {
		let {event, epoch, revision, transitions = [], badge} = body
		if (kind === "scene" && !(epoch === this.scene?.epoch && revision <= this.scene.revision)) {
			if (epoch !== this.scene?.epoch) {
				this.#pace = new Pace()
				this.#heldAt.clear()
			}
			this.#isNew = true
			this.scene = body
		}
		if (kind === "frame") {
			this.#take(body, isAnswer)
			if (badge?.version > (this.badge?.version ?? 0)) tell(this, "badge", this.badge = badge)
			for (let one of transitions) tell(this, "transition", one)
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
	let view = {...a}, turn = b.rotation - a.rotation
	view.rotation += Math.atan2(Math.sin(turn), Math.cos(turn)) * f
	for (let key of "x y w h scale alpha".split(" ")) view[key] += (b[key] - a[key]) * f
	return view
}

// These look as their component.
const MAIN = /^(navigation|tipstip|tossitem|profilecontent|listrow|reader(page|incoming)|tabsbar)/

export function layers(scene, states, parent = null, slot = null) {
	return (scene?.components ?? []).filter(
		one => one.parent === parent && one.slot === slot && states.has(one.id)
	).map(one => {
		let {id, kind, frame: [left, top, w, h], clip, content, parameters: {items, tips}} = one
		let {views, model} = states.get(id)
		let children = Object.entries(views).map(([view, at]) => {
			let item = items?.find(({id}) => (kind === "tabs" ? "item-" + id : id) === view)
			let [name] = view.split("-"), {x, y, w, h} = at, look = item ? {...item.content} : {
				text: /tip|page/.test(name) ? model.title : void 0,
				...MAIN.test(kind + name) && content,
				...kind === "navigation" ? content.screens?.[view] : content[name === "label" ? "name" : name],
				...name === "tip" && (model.content ?? tips?.[model.index]?.content),
			}
			return {...at, key: id + "/" + view, component: id, view, left: x - w / 2, top: y - h / 2,
				round: kind === "dynamics" && item?.shape === "circle", clip: false, content: look,
				text: look.text, children: layers(scene, states, id, view)}
		}).sort((a, b) => a.z - b.z)
		return {key: id, component: id, view: null, left, top, w, h, rotation: 0, scale: 1, alpha: 1,
			clip, content, text: content?.text, children, round: false}
	})
}

// The point's place in a view's untransformed box, from its top left corner.
function inside({x, y}, {left, top, w, h, rotation, scale}) {
	let dx = x - left - w / 2, dy = y - top - h / 2
	let cos = Math.cos(rotation) / scale, sin = Math.sin(rotation) / scale
	return {x: dx * cos + dy * sin + w / 2, y: dy * cos - dx * sin + h / 2}
}

const isWithin = ({x, y}, {w, h, round}) => round
	? Math.hypot(x - w / 2, y - h / 2) < w / 2
	: x >= 0 && x < w && y >= 0 && y < h

// By docs/protocol/touch.md: from front to back, first what a view holds.
export function hit(scene, states, x, y) {
	let kinds = new Map(scene?.components.map(one => [one.id, one.kind]))
	let front = (list, take) => list.reduceRight((found, layer) => found ?? take(layer), null)
	let find = (component, outer) => {
		let {w, h, clip, children, component: id} = component, kind = kinds.get(id)
		let point = {x: outer.x - component.left, y: outer.y - component.top}
		if (clip && !isWithin(point, component)) return null
		let isPassing = kind === "navigation" && states.get(id).phase === "transitioning"
		let found = front(children, view => {
			let at = view.scale ? inside(point, view) : {x: NaN, y: NaN}
			let held = isPassing || !view.scale ? null : front(view.children, one => find(one, at))
			return held ?? (takes(kind, view) && isWithin(at, view)
				? {component: id, view: view.view} : null)
		})
		if (found) return found
		if (isPassing || /list|profile|reader/.test(kind) && isWithin(point, {w, h}))
			return {component: id, view: null}
		return kind === "tips" && children.length ? {component: id, view: "backdrop"} : null
	}
	return front(layers(scene, states), one => find(one, {x, y}))
}

function takes(kind, {view, children}) {
	if (kind === "toss") return view === "item"
	if (kind === "tips") return view === "tip"
	if (kind !== "tabs") return true
	return view.startsWith("page-") ? children.length > 0 : /^(bar$|item-)/.test(view)
}

// Whether a wheel at a point turns something. The client knows that of a session that it watches.
function isTurned(client, name, x, y) {
	let {scene, states} = watched.get(client)?.get(name) ?? {}
	if (!states) return true
	let parts = scene?.components ?? [], target = hit(scene, states, x, y)
	for (let id = target?.component; id;) {
		let {kind, parent} = parts.find(one => one.id === id)
		if (/list|profile|reader/.test(kind)) return true
		id = parent
	}
	return false
}

// Tells whose each turn of a wheel is. A page that scrolls under a still hand keeps the wheel.
function wheels(isTurned, toPoint) {
	let last = {timeStamp: -Infinity}
	return event => {
		let {clientX, clientY, timeStamp} = event
		let isOpen = timeStamp - last.timeStamp < SERIES
			&& last.clientX === clientX && last.clientY === clientY
		let isOurs = isOpen ? last.isOurs : isTurned(...toPoint(event))
		last = {clientX, clientY, timeStamp, isOurs}
		return isOurs
	}
}

export function capture(element, client, session, toPoint = ({clientX, clientY}) => {
	let {x, y, width} = element.getBoundingClientRect(), zoom = width / element.offsetWidth
	return [(clientX - x) / zoom, (clientY - y) / zoom]
}) {
	let contacts = new Map(), ends = new AbortController()
	let first = Math.random() * 2 ** 31 | 0
	let publish = body => client.publish(`gesture/${session}`, body)
	let send = (event, body) => {
		let [x, y] = toPoint(event)
		publish(Object.assign(body, {x, y, t: performance.timeOrigin + event.timeStamp}))
	}
	let repeat = ({body}, phase) => publish({...body, phase})
	// Captured at once, a contact would take the clicks of buttons and links that lie on the
	// element: they go to what captures. So it is captured when it drags.
	let hold = (contact, {pointerId, clientX, clientY}) => {
		if (Math.hypot(clientX - contact.x, clientY - contact.y) < SLOP) return
		contact.isHeld = true
		try {
			element.setPointerCapture(pointerId)
		} catch {
			// The finger is gone already, or never was: a script's. Its events come all the same.
		}
	}
	let take = (event, phase) => {
		let contact = contacts.get(event.pointerId)
		contact.body = {gesture: "pointer", phase, pointer: first + event.pointerId}
		for (let one of [...event.getCoalescedEvents?.().slice(0, -1) ?? [], event])
			send(one, contact.body)
		clearInterval(contact.timer)
		contact.timer = setInterval(repeat, REPEAT, contact, "changed")
	}
	let on = (target, type, take) => target.addEventListener(type, take, ends)
	on(element, "pointerdown", event => {
		if (event.button) return
		clearInterval(contacts.get(event.pointerId)?.timer)
		contacts.set(event.pointerId, {x: event.clientX, y: event.clientY, isHeld: false})
		take(event, "began")
	})
	let move = (event, isRaw) => {
		let contact = contacts.get(event.pointerId)
		if (!contact || contact.isRaw && !isRaw && event.isTrusted) return
		contact.isRaw ||= isRaw
		if (!contact.isHeld) hold(contact, event)
		take(event, "changed")
	}
	// Until a contact is captured, its events may go to what lies beside the element. Browsers that
	// have raw updates hold the same moves back until the next picture.
	on(window, "pointerrawupdate", event => move(event, true))
	on(window, "pointermove", event => move(event, false))
	let end = (type, phase, target = window) => on(target, type, event => {
		if (target === element && event.target !== element || !contacts.has(event.pointerId)) return
		take(event, phase)
		clearInterval(contacts.get(event.pointerId).timer)
		contacts.delete(event.pointerId)
	})
	end("pointerup", "ended")
	end("pointercancel", "cancelled")
	end("lostpointercapture", "cancelled", element)
	// A link or a picture that the browser drags away would cancel the contact.
	on(element, "dragstart", event => event.preventDefault())
	let isOurs = wheels((x, y) => isTurned(client, session, x, y), toPoint)
	on(element, "wheel", event => {
		if (event.ctrlKey || !isOurs(event)) return
		event.preventDefault()
		let unit = [1, 16, element.clientHeight][event.deltaMode]
		send(event, {gesture: "wheel", dx: event.deltaX * unit, dy: event.deltaY * unit})
	})
	let style = value => Object.assign(element.style, {touchAction: value, userSelect: value})
	style("none")
	return () => {
		ends.abort()
		for (let contact of contacts.values()) {
			clearInterval(contact.timer)
			repeat(contact, "cancelled")
		}
		style("")
	}
}
