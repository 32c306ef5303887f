// Draws and touches sessions of gestured in a web page: README.md beside this file says how.
//
// `make webclient` puts this file together from the modules in Clients/web/client.

// ---- client/errors.js ----

/**
 * The error of a request or a message. After "unavailable" the request may still have been carried
 * out. `code` is one of docs/protocol/publish.md, "Refusals", or "unavailable" (no daemon, or it
 * left before the answer) or "closed" (the client is closed).
 */
class GesturedError extends Error {}

/** Makes an error with all fields of a refusal: `code`, `message`, and what else it says. */
function errorFrom(refusal) {
  return Object.assign(new GesturedError(refusal.message), refusal);
}

// ---- client/connection.js ----

// The daemon sends a heartbeat each second, and gesture-web passes it on. Once one has come, a
// connection without one for so many milliseconds is lost.
const SILENCE_MAX = 5_000;
// The most bytes of a message: gesture-web ends a connection that sends more.
const MESSAGE_BYTES_MAX = 1_048_576;
// Milliseconds before the connection is tried again: the first delay and the longest one. Each
// attempt that fails doubles the delay, so that clients do not storm a server that comes back.
const RECONNECT_DELAY_MIN = 100;
const RECONNECT_DELAY_MAX = 1_000;

/** A WebSocket to gesture-web that reconnects by itself until it is closed. */
class Connection {
  /** "waiting": the connection was lost, and the next attempt follows after a delay. */
  state = "connecting";
  #url;
  #onState;
  #onMessage;
  #socket;
  #reconnectDelay = RECONNECT_DELAY_MIN;
  #reconnectTimer;
  #silenceTimer;

  /**
   * Connects at once. `onState` is called after each change of `state`, and `onMessage` with each
   * message.
   */
  constructor(url, { onState, onMessage }) {
    this.#url = url;
    this.#onState = onState;
    this.#onMessage = onMessage;
    this.#open();
  }

  /**
   * Sends a message; false if the connection is not open, and nothing was sent.
   *
   * @throws {GesturedError} "too-large" for a message that gesture-web would not take
   */
  send(message) {
    if (this.state !== "open") return false;
    const text = JSON.stringify(message);
    // A unit of a string has at most three bytes.
    if (3 * text.length > MESSAGE_BYTES_MAX) {
      const bytes = new Blob([text]).size;
      if (bytes > MESSAGE_BYTES_MAX) {
        throw errorFrom({ code: "too-large",
          message: `a message has at most ${MESSAGE_BYTES_MAX} bytes, not ${bytes}` });
      }
    }
    this.#socket.send(text);
    return true;
  }

  /**
   * A heartbeat came: the next one must come within SILENCE_MAX. Before the first one a connection
   * may stay silent, for its gesture-web may wait for the daemon.
   */
  expectHeartbeat() {
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = setTimeout(() => this.#lose(), SILENCE_MAX);
  }

  /** Closes the connection for good. */
  close() {
    if (this.state === "closed") return;
    clearTimeout(this.#reconnectTimer);
    this.#discardSocket();
    this.#setState("closed");
  }

  #setState(state) {
    this.state = state;
    this.#onState(state);
  }

  #open() {
    const socket = new WebSocket(this.#url);
    socket.onopen = () => {
      this.#reconnectDelay = RECONNECT_DELAY_MIN;
      this.#setState("open");
    };
    socket.onmessage = ({ data }) => this.#onMessage(JSON.parse(data));
    socket.onclose = () => this.#lose();
    this.#socket = socket;
  }

  #lose() {
    this.#discardSocket();
    this.#reconnectTimer = setTimeout(() => this.#reconnect(), this.#reconnectDelay);
    this.#reconnectDelay = Math.min(2 * this.#reconnectDelay, RECONNECT_DELAY_MAX);
    this.#setState("waiting");
  }

  #reconnect() {
    this.#open();
    this.#setState("connecting");
  }

  /** Ends the socket, and hears nothing more of it: a lost one may take long to close. */
  #discardSocket() {
    clearTimeout(this.#silenceTimer);
    this.#socket.onopen = null;
    this.#socket.onmessage = null;
    this.#socket.onclose = null;
    this.#socket.close();
  }
}

// ---- client/events.js ----

/** Dispatches an event whose listeners find `detail` in it. */
function emit(target, type, detail) {
  target.dispatchEvent(new CustomEvent(type, { detail }));
}

/**
 * Dispatches an error as the event "error". If no listener reads it, it goes to the console, so
 * that it does not vanish.
 */
function emitError(target, error, description) {
  let isRead = false;
  const event = new CustomEvent("error");
  Object.defineProperty(event, "detail", {
    get() {
      isRead = true;
      return error;
    },
  });
  target.dispatchEvent(event);
  if (!isRead) console.error(`${description}: ${error.code}: ${error.message}`);
}

// ---- client/ids.js ----

/** Text that no other client uses. `crypto.randomUUID` would need a secure context. */
function uniqueId() {
  return String(Math.random());
}

// ---- client/delay.js ----

// The least and the most milliseconds by which drawing lags behind the fastest arrival. A longer
// gap between two frames is a rest.
const DELAY_MIN = 8;
const DELAY_MAX = 50;
// The number of last frames whose arrivals count, and the part of them that must come in time.
const ARRIVALS_MAX = 60;
const IN_TIME = 0.95;
// The delay changes slowly, so that motion looks even. With each frame it grows by at most
// GROWTH_MAX milliseconds, or falls by this part of the excess.
const GROWTH_MAX = 4;
const DECAY = 1 / 8;
// Milliseconds: a larger difference comes from another clock, and not from a slow connection.
const CLOCK_JUMP = 250;
// After a hand lets go of a view, the view's time runs slower by this part, until the view is as
// late as the others.
const RELEASE_SLOWDOWN = 0.1;

/** Milliseconds after which something that a hand has let go is as late as all else. */
const RELEASE_TIME = DELAY_MAX + DELAY_MAX / RELEASE_SLOWDOWN;

/**
 * How late the frames of a session are drawn: so late that nearly all of them have come by then.
 * Games call this an interpolation delay, telephony a jitter buffer.
 *
 * A frame's `t` is a time of the daemon's clock, a picture's one of `performance.now()`. Delays are
 * differences between the two, so the clocks need not agree.
 */
class InterpolationDelay {
  #arrivals = [];
  #lastFrameTime;
  // Milliseconds from a frame's `t` to the picture that shows it, including the offset between the
  // two clocks; NaN before the first frame.
  #delay = NaN;
  // Milliseconds from a frame's `t` to its arrival, of the fastest of the last frames, including
  // that offset.
  #fastest = NaN;

  /**
   * Notes that a frame of the instant `t` arrived at `now`. A frame from a snapshot
   * counts only until the first frame from an update, because an answer takes longer.
   *
   * @returns {number} the milliseconds that the motion to this frame takes
   */
  noteArrival(t, now, isFromSnapshot, frameRate = 60) {
    const travelTime = now - t;
    const sinceLast = t - this.#lastFrameTime;
    const isMoving = sinceLast >= 0 && sinceLast <= DELAY_MAX;
    const motionTime = isMoving ? sinceLast : 1_000 / frameRate;
    this.#lastFrameTime = t;
    if (!isFromSnapshot) this.#adapt({ travelTime, motionTime });
    else if (!this.#arrivals.length) this.#assume({ travelTime, motionTime });
    return motionTime;
  }

  /**
   * The instant of the daemon's clock to show at `now`. A hand sees every lag, so what it holds
   * shows the newest that there is. `heldAt` is when a hand held it last.
   */
  instantAt(now, heldAt = -Infinity) {
    const sinceHeld = now - heldAt;
    if (sinceHeld < DELAY_MAX) return Infinity;
    const releasedDelay = this.#fastest + (sinceHeld - DELAY_MAX) * RELEASE_SLOWDOWN;
    return now - Math.min(this.#delay, releasedDelay);
  }

  #assume({ travelTime, motionTime }) {
    this.#fastest = travelTime;
    this.#delay = travelTime + motionTime;
  }

  #adapt(arrival) {
    this.#arrivals.push(arrival);
    if (this.#arrivals.length > ARRIVALS_MAX) this.#arrivals.shift();
    this.#fastest = Math.min(...this.#arrivals.map(({ travelTime }) => travelTime));
    const wanted = this.#fastest + Math.min(DELAY_MAX, Math.max(DELAY_MIN, this.#needed()));
    const difference = wanted - this.#delay;
    if (this.#arrivals.length === 1 || Math.abs(difference) > CLOCK_JUMP) {
      this.#delay = wanted;
    } else if (difference > 0) {
      this.#delay += Math.min(difference, GROWTH_MAX);
    } else {
      this.#delay += difference * DECAY;
    }
  }

  /**
   * The smallest delay, beyond the fastest arrival, at which the part IN_TIME of the last frames
   * would have arrived before its motion begins (`motionTime` before its `t`).
   */
  #needed() {
    const needs = this.#arrivals
      .map(({ travelTime, motionTime }) => travelTime - this.#fastest + motionTime)
      .toSorted((a, b) => a - b);
    return needs[Math.ceil(needs.length * IN_TIME) - 1];
  }
}

// ---- client/held.js ----

/** The component as a whole, in place of one of its views. */
const WHOLE = Symbol("whole component");

/** Which components and views a hand holds or has just moved, and when it did so last. */
class HeldViews {
  // By component, and then by view (or WHOLE): the `performance.now()` of its last movement.
  #heldAt = new Map();

  /** The times of a component, by view or WHOLE. */
  timesOf(component) {
    return this.#heldAt.get(component) ?? new Map();
  }

  /** Notes what a hand holds in a new state of a component. */
  note(state, last, now) {
    const views = heldViews(state, last);
    if (!views.length) return;
    const times = this.timesOf(state.component);
    this.#heldAt.set(state.component, times);
    for (const [view, heldAt] of times) {
      if (now - heldAt > RELEASE_TIME) times.delete(view);
    }
    for (const view of views) times.set(view, now);
  }

  clear() {
    this.#heldAt.clear();
  }
}

function heldViews({ phase, model, input }, last) {
  const isDragging = phase === "dragging";
  const isWorld = Boolean(model && "dragged" in model);
  // A world (the only kind whose states have `dragged`) goes on by itself beside the item that is
  // dragged.
  if (isWorld) return isDragging ? [model.dragged ?? WHOLE] : [];
  // A wheel moves a component in any phase, and each of its events changes `input`. A gesture that
  // the daemon recognizes changes `input`, too; `recognizer` is in the model until it ends.
  const isMoved = isDragging || Boolean(model?.recognizer) || input !== last?.input;
  return isMoved ? [WHOLE] : [];
}

// ---- client/epochs.js ----

/**
 * The order of a session's epochs, by docs/protocol/updates.md, "Epochs and gaps".
 *
 * An epoch is `RUN.LIFE`. `RUN` names a run of the daemon, or a cluster; `LIFE` grows when the
 * session opens again within it. Runs have no order, so the one that came first is the older one.
 */
class EpochOrder {
  /** The newest epoch; null before the first one. */
  current = null;
  #run = null;
  #life = 0n;
  #formerRuns = new Set();

  /** Whether an epoch is older than the current one. */
  isOld(epoch) {
    const { run, life } = parseEpoch(epoch);
    return this.#formerRuns.has(run) || (run === this.#run && life < this.#life);
  }

  /** Makes an epoch the current one; it must not be old. */
  adopt(epoch) {
    const { run, life } = parseEpoch(epoch);
    if (this.#run !== null && run !== this.#run) this.#formerRuns.add(this.#run);
    this.#run = run;
    this.#life = life;
    this.current = epoch;
  }
}

function parseEpoch(epoch) {
  const [, run, life] = /^(.*)\.(\d+)$/s.exec(epoch) ?? [null, String(epoch), 0];
  // A cluster's numbers may have more digits than a double holds.
  return { run, life: BigInt(life) };
}

// ---- client/join.js ----

// The kinds of updates to subscribe to; their topics are `KIND/SESSION`.
const UPDATE_KINDS = ["scene", "frame", "session", "rejected"];
// Snapshots bring these too, but frames say the same.
const KINDS_IN_FRAMES = ["state", "badge", "variables", "rows", "touches"];
// Milliseconds before a join is retried after its snapshot was refused or out of date.
const JOIN_RETRY_DELAY = 100;

/**
 * The updates of one session, each once and in order, by docs/protocol/updates.md, "Joining".
 *
 * A join has three steps. Subscribe to `sync/` with a new name, after all other subscriptions. Wait
 * for its answer: then all subscriptions that were not refused are in force. Then ask for a
 * snapshot. A join is repeated on each new connection, for each new epoch, after each gap, and each
 * time a subscription that was refused is sent again: what came in between is in the snapshot.
 */
class SessionUpdates {
  #client;
  #name;
  #handlers;
  #epochs = new EpochOrder();
  // The `seq` of the last update of each kind, within the current epoch.
  #lastSeqs = new Map();
  #unsubscribe;
  // The join under way; null if there is none.
  #join = null;
  #retryTimer;
  // Whether updates were missed that no snapshot has made up for yet.
  #hasGap = false;
  #isClosed = false;

  /**
   * `handlers` are
   * - `onUpdate(kind, body, isFromSnapshot)`: an update of this kind (scene, frame, …) came,
   * - `onGone()`: there is no such session,
   * - `onJoined(epoch)`: a snapshot was shown; the epoch is null if there is no such session,
   * - `onGap(kind, missed)`: so many updates of this kind were missed,
   * - `isShown(frame)`: whether a snapshot's frame says nothing new.
   */
  constructor(client, name, handlers) {
    this.#client = client;
    this.#name = name;
    this.#handlers = handlers;
    const ends = UPDATE_KINDS.map((kind) =>
      client.subscribe(`${kind}/${name}`, (topic, body) => this.#received(topic, body), () =>
        this.#startJoin()));
    this.#unsubscribe = () => {
      for (const end of ends) end();
    };
    client.addEventListener("state", this.#restartJoin);
    this.#restartJoin();
  }

  /** The newest epoch of the session; null before the first update. */
  get epoch() {
    return this.#epochs.current;
  }

  close() {
    this.#isClosed = true;
    this.#client.removeEventListener("state", this.#restartJoin);
    this.#cancelJoin();
    this.#unsubscribe();
  }

  /** Joins on a new connection: an answer to a former join was lost with the former connection. */
  #restartJoin = () => {
    this.#cancelJoin();
    if (this.#client.state === "open") this.#startJoin();
  };

  #startJoin() {
    this.#cancelJoin();
    // A listener may close the session while it hears of an update.
    if (this.#isClosed) return;
    const sync = `sync/${uniqueId()}`;
    const join = {};
    join.endSync = this.#client.subscribe(sync, (topic) => {
      if (topic === sync) this.#askForSnapshot(join);
    });
    this.#join = join;
  }

  #cancelJoin() {
    clearTimeout(this.#retryTimer);
    this.#join?.endSync();
    this.#join = null;
  }

  async #askForSnapshot(join) {
    join.endSync();
    const epochBefore = this.epoch;
    const reply = await this.#client.request("snapshot", { session: this.#name })
      .catch((error) => error);
    if (join !== this.#join) return;
    const isGone = reply.code === "unknown-session";
    // While the answer was on its way, an update may have opened the session, or opened it again.
    const isOutOfDate = isGone ? this.epoch !== epochBefore : this.#epochs.isOld(reply.epoch);
    const isRefused = reply.code !== undefined && !isGone;
    if (isRefused || isOutOfDate) {
      this.#retryTimer = setTimeout(() => this.#startJoin(), JOIN_RETRY_DELAY);
      return;
    }
    this.#join = null;
    if (isGone) this.#handlers.onGone();
    else this.#showSnapshot(reply);
    this.#hasGap = false;
    this.#handlers.onJoined(isGone ? null : reply.epoch);
  }

  #showSnapshot({ epoch, updates = [] }) {
    this.#adopt(epoch);
    for (const { topic, body } of updates) {
      const [kind] = topic.split("/");
      if (KINDS_IN_FRAMES.includes(kind)) continue;
      const isKnown = this.#isKnown(kind, body);
      this.#lastSeqs.set(kind, Math.max(this.#lastSeqs.get(kind) ?? 0, body.seq));
      if (!isKnown) this.#handlers.onUpdate(kind, body, true);
    }
  }

  /** Whether a part of a snapshot says nothing new. */
  #isKnown(kind, body) {
    // Updates were lost in the gap. So a body may be new although its `seq` is not above the last
    // one.
    if (this.#hasGap) return false;
    // False before the first update: no number is below `undefined`.
    const wasReceived = body.seq <= this.#lastSeqs.get(kind);
    // A snapshot's frame may show a later instant than the update with the same `seq`.
    return wasReceived && (kind !== "frame" || this.#handlers.isShown(body));
  }

  #received(topic, body) {
    const [kind, name] = topic.split("/");
    const { epoch, seq } = body;
    // The prefix matches longer names, too.
    if (name !== this.#name || this.#epochs.isOld(epoch)) return;
    if (epoch !== this.epoch && !this.#join) this.#startJoin();
    this.#adopt(epoch);
    const last = this.#lastSeqs.get(kind);
    // Without a last `seq` this comparison is false, and the one of `missed` below.
    if (seq <= last) return;
    this.#lastSeqs.set(kind, seq);
    this.#handlers.onUpdate(kind, body, false);
    // gesture-web may merge frames for a slow client: `since` is the `seq` of the first one.
    const missed = (body.since ?? seq) - last - 1;
    if (missed > 0) this.#healGap(kind, missed);
  }

  #healGap(kind, missed) {
    this.#hasGap = true;
    this.#startJoin();
    this.#handlers.onGap(kind, missed);
  }

  #adopt(epoch) {
    if (epoch === this.epoch) return;
    this.#epochs.adopt(epoch);
    this.#lastSeqs.clear();
  }
}

// ---- client/motion.js ----

// How many states of a component are kept: 6 in 50 ms at 120 frames a second, and one at each end.
const HISTORY_MAX = 8;
// The key of a state's own field: the milliseconds that the motion to it takes. It is a symbol, so
// that it is not in the state's JSON.
const MOTION_TIME = Symbol("motion time");

/** Links a new state to the last one of its component, and notes the frame's `seq` and `t`. */
function withHistory(state, last, { seq, t }, motionTime) {
  // A state of the same instant, or of an earlier one, takes the last one's place.
  const former = last?.t < t ? last : last?.former;
  const newest = { ...state, seq, t, former, [MOTION_TIME]: motionTime };
  forgetOldStates(newest);
  return newest;
}

/** The state as a frame brought it, without what was added here. */
function withoutHistory(state) {
  const { seq, t, former, ...sent } = state;
  return sent;
}

function forgetOldStates(newest) {
  let oldest = newest;
  for (let kept = 1; kept < HISTORY_MAX && oldest.former; kept += 1) oldest = oldest.former;
  oldest.former = null;
}

/**
 * The state of a component at an instant: between two states of its history, or one of them as it
 * is. Views move; all else is the earlier state's until the later one is reached.
 */
function stateAt(newest, instant) {
  let next = newest;
  while (next.former && instant <= next.t - next[MOTION_TIME]) next = next.former;
  const { former } = next;
  const progress = 1 - (next.t - instant) / next[MOTION_TIME];
  const isOnItsWay = former && progress < 1;
  if (!isOnItsWay) return next;
  // A view may have any name, also `__proto__`.
  const views = Object.fromEntries(Object.entries(former.views).map(
    ([name, view]) => [name, interpolate(view, next.views[name] ?? view, progress)]));
  return { ...former, views };
}

/**
 * A view between two. The rotation (in radians) goes the short way, and may leave (−π, π]. If
 * `cut` has grown, nothing lies between: the result is `a` until `f` is 1.
 *
 * @param {object} a the view at `f` 0 or less
 * @param {object} b the view at `f` 1 or more
 * @param {number} f the part of the way from `a` to `b`
 */
function interpolate(a, b, f) {
  if (f >= 1) return b;
  const isCut = b.cut > (a.cut ?? 0);
  if (f <= 0 || isCut) return a;
  const view = { ...a, rotation: a.rotation + shortTurn(a.rotation, b.rotation) * f };
  for (const key of ["x", "y", "w", "h", "scale", "alpha"]) view[key] += (b[key] - a[key]) * f;
  return view;
}

/** The smallest turn from one angle to another, in radians from -π to π. */
function shortTurn(from, to) {
  const turn = to - from;
  return Math.atan2(Math.sin(turn), Math.cos(turn));
}

// ---- client/rows.js ----

// The key of a state's own field: the rows that its list had told when the state came. So a state
// that is shown late still has the rows of its own instant. The key is a symbol, so that the field
// is not in the JSON.
const ROWS = Symbol("rows");

/** The state with the rows that its component has told; unchanged if it has told none. */
function withRows(state, rows) {
  return rows ? { ...state, [ROWS]: rows } : state;
}

/** Gives a state other rows than those it came with. */
function replaceRows(state, rows) {
  state[ROWS] = rows;
}

/**
 * A row of a list that tells its rows: its `content`, and its `id` and `menu` if it has them.
 *
 * @param {object} state of the list, as `session.at()` gives it
 * @param {number} number the row's, from 0
 * @returns {object | null} null if the list has not told this row
 */
function rowOf(state, number) {
  const told = state[ROWS];
  return told?.rows[number - told.from] ?? null;
}

// ---- client/session.js ----

// The sessions that each client watches, by name: `capture` asks what lies under a wheel.
const watchedSessions = new WeakMap();

/** The session of this name if the client watches it. */
function watchedSession(client, name) {
  return watchedSessions.get(client)?.get(name);
}

/** One session as it is now. Its events have the bodies of updates as their `detail`. */
class Session extends EventTarget {
  /** Null until the first scene has come, and while there is no such session. */
  scene = null;
  /** The newest states by component, not interpolated. */
  states = new Map();
  badge = null;
  variables = null;
  /** The rows that lists have told last, by component. */
  rows = new Map();
  /** The contacts that are down; null before any was told. */
  touches = null;
  /** How often updates were missed. */
  gaps = 0;
  /** Whether a first snapshot was answered. */
  joined = false;
  #client;
  #updates;
  #delay = new InterpolationDelay();
  #held = new HeldViews();
  // Whether the next frame has all states: the first one of a scene does.
  #awaitsAllStates = false;
  // The `seq` of the frame that told the contacts last.
  #touchesSeq = 0;

  constructor(client, name) {
    super();
    this.name = name;
    this.#client = client;
    this.#register();
    this.#updates = new SessionUpdates(client, name, {
      onUpdate: (kind, body, isFromSnapshot) => this.#update(kind, body, isFromSnapshot),
      onGone: () => this.#clear(),
      onJoined: (epoch) => {
        this.joined = true;
        emit(this, "joined", epoch);
      },
      onGap: (kind, missed) => {
        this.gaps += 1;
        emit(this, "gap", { kind, missed });
      },
      isShown: (frame) => this.#isShown(frame),
    });
  }

  /** The newest epoch; null before the first update. */
  get epoch() {
    return this.#updates.epoch;
  }

  /**
   * The states to draw: the newest of what a hand holds, and all else interpolated, delayed until
   * nearly all frames come in time. A component that rests gives the very same object each time.
   *
   * @param {number} [now] milliseconds of `performance.now()`
   * @returns {Map<string, object>} states by component
   */
  at(now = performance.now()) {
    const shown = new Map();
    for (const [component, newest] of this.states) shown.set(component, this.#stateAt(newest, now));
    return shown;
  }

  /** Ends its subscriptions. The session itself stays open. */
  close() {
    this.#updates.close();
    if (watchedSession(this.#client, this.name) === this) {
      watchedSessions.get(this.#client).delete(this.name);
    }
  }

  #register() {
    const sessions = watchedSessions.get(this.#client) ?? new Map();
    watchedSessions.set(this.#client, sessions.set(this.name, this));
  }

  #stateAt(newest, now) {
    const heldTimes = this.#held.timesOf(newest.component);
    const state = stateAt(newest, this.#delay.instantAt(now, heldTimes.get(WHOLE)));
    if (state === newest) return newest;
    // A held view is shown at a later instant than the rest, if the view exists at both instants.
    const ahead = {};
    for (const [view, heldAt] of heldTimes) {
      const { views } = stateAt(newest, this.#delay.instantAt(now, heldAt));
      if (view in views && view in state.views) ahead[view] = views[view];
    }
    return Object.keys(ahead).length ? { ...state, views: { ...state.views, ...ahead } } : state;
  }

  #update(kind, body, isFromSnapshot) {
    if (kind === "scene") this.#updateScene(body);
    if (kind === "frame") this.#updateFrame(body, isFromSnapshot);
    if (kind === "session" && ["closed", "expired"].includes(body.event)) this.#clear();
    emit(this, kind, body);
  }

  #updateScene(scene) {
    const isSameEpoch = scene.epoch === this.scene?.epoch;
    if (isSameEpoch && scene.revision < this.scene.revision) return;
    if (isSameEpoch && scene.revision === this.scene.revision) {
      // Texts that name variables have changed, and nothing else.
      if (scene.seq > this.scene.seq) this.scene = scene;
      return;
    }
    if (!isSameEpoch) {
      this.#delay = new InterpolationDelay();
      this.#held.clear();
      this.#forgetTouches();
    }
    this.scene = scene;
    this.#awaitsAllStates = true;
  }

  #updateFrame(frame, isFromSnapshot) {
    if (this.#awaitsAllStates) this.rows.clear();
    for (const [component, rows] of Object.entries(frame.rows ?? {})) {
      this.rows.set(component, rows);
    }
    this.#takeStates(frame, isFromSnapshot);
    if (this.#isNewBadge(frame.badge)) {
      this.badge = frame.badge;
      emit(this, "badge", frame.badge);
    }
    if (this.#areNewVariables(frame.variables)) {
      this.variables = frame.variables;
      emit(this, "variables", frame.variables);
    }
    // A snapshot may be late.
    if (frame.touches && frame.seq >= this.#touchesSeq) {
      this.#touchesSeq = frame.seq;
      this.touches = frame.touches;
      emit(this, "touches", frame.touches);
    }
    for (const transition of frame.transitions ?? []) emit(this, "transition", transition);
  }

  #takeStates(frame, isFromSnapshot) {
    const now = performance.now();
    const motionTime = this.#delay.noteArrival(
      frame.t, now, isFromSnapshot, this.scene?.frame_rate);
    if (this.#awaitsAllStates) this.states.clear();
    this.#awaitsAllStates = false;
    for (const state of frame.states) {
      const last = this.states.get(state.component);
      // A snapshot that was late.
      if (last?.seq > frame.seq) continue;
      const own = withRows(state, this.rows.get(state.component));
      this.states.set(state.component, withHistory(own, last, frame, motionTime));
      this.#held.note(state, last, now);
    }
    for (const component of Object.keys(frame.rows ?? {})) {
      const state = this.states.get(component);
      if (state) replaceRows(state, this.rows.get(component));
    }
  }

  #isNewBadge(badge) {
    return badge?.version > (this.badge?.version ?? 0);
  }

  #areNewVariables(variables) {
    return variables?.version > (this.variables?.version ?? -1);
  }

  #forgetTouches() {
    const areShown = this.touches?.length > 0;
    this.touches = null;
    this.#touchesSeq = 0;
    if (areShown) emit(this, "touches", []);
  }

  /** Whether all states, counts, variables, rows and contacts of a frame show already. */
  #isShown({ states, badge, variables, rows, touches }) {
    const isStateShown = (state) => {
      const shown = this.states.get(state.component);
      return shown && JSON.stringify(withoutHistory(shown)) === JSON.stringify(state);
    };
    const areRowsShown = ([component, told]) =>
      JSON.stringify(this.rows.get(component)) === JSON.stringify(told);
    const areTouchesShown = !touches || JSON.stringify(this.touches) === JSON.stringify(touches);
    return !this.#isNewBadge(badge) && !this.#areNewVariables(variables) && areTouchesShown
      && states.every(isStateShown) && Object.entries(rows ?? {}).every(areRowsShown);
  }

  /** The session is gone. */
  #clear() {
    this.states.clear();
    this.rows.clear();
    this.scene = null;
    this.badge = null;
    this.variables = null;
    this.#forgetTouches();
    emit(this, "scene", null);
  }
}

// ---- client/subscriptions.js ----

// Milliseconds before a refused subscription is sent again: the first delay and the longest one.
const RESUBSCRIBE_DELAY_MIN = 100;
const RESUBSCRIBE_DELAY_MAX = 2_000;

/** The subscriptions of a client. They outlive its connections. */
class Subscriptions {
  #send;
  #subscriptions = new Set();
  // For each prefix that gesture-web refused on this connection: the last delay and its timer.
  #retries = new Map();

  /** `send` sends a message to gesture-web, if there is a connection. */
  constructor(send) {
    this.#send = send;
  }

  /**
   * Calls `listener(topic, body)` for each update whose topic begins with the prefix, and
   * `onSentAgain()` when the subscription was refused and has been sent again.
   */
  add(prefix, listener, onSentAgain) {
    const subscription = { prefix, listener, onSentAgain };
    this.#subscriptions.add(subscription);
    this.#send({ subscribe: prefix });
    return () => {
      const wasThere = this.#subscriptions.delete(subscription);
      if (wasThere && !this.#has(prefix)) this.#send({ unsubscribe: prefix });
    };
  }

  /** Subscribes again on a new connection. */
  renew() {
    for (const { timer } of this.#retries.values()) clearTimeout(timer);
    this.#retries.clear();
    for (const { prefix } of this.#subscriptions) this.#send({ subscribe: prefix });
  }

  /** Hands an update to its listeners. */
  dispatch(topic, body) {
    for (const { prefix, listener } of this.#subscriptions) {
      if (topic.startsWith(prefix)) listener(topic, body);
    }
  }

  /**
   * Sends a refused subscription again after a delay that doubles each time, since there may be
   * room for it by then. Returns whether this is its first refusal on this connection.
   */
  retry(prefix) {
    const former = this.#retries.get(prefix);
    const delay = former
      ? Math.min(2 * former.delay, RESUBSCRIBE_DELAY_MAX)
      : RESUBSCRIBE_DELAY_MIN;
    clearTimeout(former?.timer);
    const timer = setTimeout(() => this.#sendAgain(prefix), delay);
    this.#retries.set(prefix, { delay, timer });
    return !former;
  }

  #sendAgain(prefix) {
    if (!this.#has(prefix)) {
      this.#retries.delete(prefix);
      return;
    }
    this.#send({ subscribe: prefix });
    for (const { onSentAgain } of this.#withPrefix(prefix)) onSentAgain?.();
  }

  #has(prefix) {
    return this.#withPrefix(prefix).length > 0;
  }

  #withPrefix(prefix) {
    return [...this.#subscriptions].filter((subscription) => subscription.prefix === prefix);
  }
}

// ---- client/client.js ----

// Milliseconds before an event that was not answered is sent again.
const REPEAT_DELAY = 100;

/**
 * Connects to a gesture-web, and tries for ever.
 *
 * @param {string | URL} [url] by default the folder of the page's address
 * @returns {Client}
 */
function connect(url) {
  return new Client(url);
}

/**
 * One connection to a gesture-web, with the requests, subscriptions and sessions on it. It
 * reconnects by itself. Its events are "state", "web" and "error". "state" also comes when the
 * daemon behind an open connection has restarted.
 */
class Client extends EventTarget {
  /** The newest message `web` (docs/web.md, "Messages"); null before the first one. */
  web = null;
  #connection;
  #subscriptions;
  // One for each call of `bind`, so that a session stays bound until the last one has ended.
  #bindings = new Set();
  #lastRequestId = 0;
  // The functions that take the replies of pending requests, by the requests' ids.
  #pending = new Map();
  // The run of the daemon that this connection reaches; null until it is known.
  #daemonEpoch = null;

  constructor(url = ".") {
    super();
    this.#subscriptions = new Subscriptions((message) => this.#send(message));
    this.#connection = new Connection(url, {
      onState: (state) => this.#stateChanged(state),
      onMessage: (message) => this.#received(message),
    });
    this.subscribe("heartbeat", (_, { epoch }) => this.#heartbeat(epoch));
  }

  /** "connecting", "open", "waiting" (it is tried again by itself) or "closed" (for good). */
  get state() {
    return this.#connection.state;
  }

  /**
   * Sends a request of the control socket as soon as the connection is open. An event whose body
   * has an `id` is applied once however often it is sent, so it is sent again until it is answered.
   *
   * @param {string} op the operation, as in docs/protocol/requests.md
   * @param {object} [fields] all other fields of the request
   * @returns {Promise<object>} the reply
   * @throws {GesturedError} the refusal; "unavailable" or "closed" where there is no answer
   */
  async request(op, fields) {
    const isRepeatable = Boolean(fields?.body?.id);
    for (;;) {
      // An open connection gets the request at once, so that messages keep the order of the calls.
      if (this.state !== "open") await this.#untilOpen();
      const reply = await this.#exchange({ ...fields, op });
      if (!reply.error) return reply;
      if (reply.error.code !== "unavailable" || !isRepeatable) throw errorFrom(reply.error);
      // Wait a little, so that sessions join first on a new connection.
      await this.#untilOpen();
      await new Promise((resolve) => setTimeout(resolve, REPEAT_DELAY));
    }
  }

  /**
   * Publishes an event. Nothing answers it.
   *
   * @returns {boolean} whether it was sent: false without a connection
   * @throws {GesturedError} "too-large" for a body of a MiB
   */
  publish(topic, body) {
    return this.#send({ topic, body });
  }

  /**
   * Publishes an event, and resolves when it is applied and durable. All events but gestures get an
   * `id`, unless they have one. A gesture is sent once, and only if the connection is open, since a
   * late one would mean something else.
   *
   * @returns {Promise<object>} `duplicate` where it was applied before; `hit` of a gesture
   * @throws {GesturedError} the refusal; "unavailable" or "closed" where there is no answer
   */
  async acknowledged(topic, body) {
    const isGesture = topic.startsWith("gesture/");
    if (isGesture && this.state !== "open") throw errorFrom(this.#unanswered().error);
    return this.request("publish", { topic, body: isGesture ? body : { id: uniqueId(), ...body } });
  }

  /**
   * Calls `listener(topic, body)` for every update whose topic begins with the prefix, over
   * reconnects. A subscription that gesture-web refuses for now is sent again after a delay; then
   * `onSentAgain()` is called, because updates may have been missed.
   *
   * @returns {() => void} ends the subscription
   */
  subscribe(prefix, listener, onSentAgain) {
    return this.#subscriptions.add(prefix, listener, onSentAgain);
  }

  /**
   * Binds a session to this connection: gesture-web closes the session 10 s after the connection
   * has ended, unless another connection binds or watches it.
   *
   * @returns {() => void} ends the binding; the session stays open
   */
  bind(session) {
    const binding = { session };
    this.#bindings.add(binding);
    this.#send({ bind: session });
    return () => {
      const wasBound = this.#bindings.delete(binding);
      const isBound = [...this.#bindings].some((other) => other.session === session);
      if (wasBound && !isBound) this.#send({ unbind: session });
    };
  }

  /** Joins a session, and follows it. */
  watch(session) {
    return new Session(this, session);
  }

  /** Closes the client for good. Pending requests are rejected with "closed". */
  close() {
    this.#connection.close();
  }

  #send(message) {
    return this.#connection.send(message);
  }

  #stateChanged(state) {
    if (state === "open") {
      this.#daemonEpoch = null;
      this.#subscriptions.renew();
      for (const { session } of this.#bindings) this.#send({ bind: session });
    }
    emit(this, "state", state);
    if (state === "waiting" || state === "closed") {
      for (const resolve of this.#pending.values()) resolve(this.#unanswered());
    }
  }

  async #untilOpen() {
    while (this.state !== "open") {
      if (this.state === "closed") throw errorFrom({ code: "closed" });
      await new Promise((resolve) => this.addEventListener("state", resolve, { once: true }));
    }
  }

  /** Sends a request once, and resolves to its reply; where none comes, to one with an error. */
  async #exchange(request) {
    this.#lastRequestId += 1;
    const id = this.#lastRequestId;
    if (!this.#send({ request: { ...request, id } })) return this.#unanswered();
    const reply = await new Promise((resolve) => this.#pending.set(id, resolve));
    this.#pending.delete(id);
    return reply;
  }

  #unanswered() {
    return { error: { code: this.state === "closed" ? "closed" : "unavailable" } };
  }

  #received({ topic, body, reply, web, error }) {
    if (topic !== undefined) this.#updated(topic, body);
    if (reply) this.#pending.get(reply.id)?.(reply);
    if (web) {
      this.web = web;
      emit(this, "web", web);
    }
    if (error) this.#refused(error);
  }

  #updated(topic, body) {
    // The answer to a `sync/` has the daemon's epoch, too. So even the first heartbeat can show
    // that the daemon restarted since then.
    if (topic.startsWith("sync/")) this.#daemonEpoch ??= body.epoch;
    this.#subscriptions.dispatch(topic, body);
  }

  #heartbeat(epoch) {
    this.#connection.expectHeartbeat();
    const isOther = this.#daemonEpoch !== null && epoch !== this.#daemonEpoch;
    this.#daemonEpoch = epoch;
    // The daemon restarted behind the open connection: sessions must join again.
    if (isOther) emit(this, "state", this.state);
  }

  /** gesture-web refused a message that has no reply, such as a subscription. */
  #refused({ code, message, subscribe: prefix }) {
    if (prefix !== undefined) {
      const isFirstRefusal = this.#subscriptions.retry(prefix);
      if (!isFirstRefusal) return;
    }
    emitError(this, errorFrom({ code, message }), "gesture-web refused a message");
  }
}

// ---- client/content.js ----

// The views whose content is the component's `content` itself. All screens of a navigation are such
// views.
const MAIN_VIEWS = {
  tips: ["tip"],
  toss: ["item"],
  profile: ["content"],
  list: ["row"],
  reader: ["page", "incoming"],
  tabs: ["bar"],
  button: ["button"],
  label: ["label", "former"],
  panel: ["panel"],
};

/** The content of a view, by the conventions of docs/protocol/draw.md. */
function contentOf(component, state, view) {
  const item = itemOf(component, view);
  if (item) return { ...item.content };
  const { kind, content } = component;
  // `row` of `row-3`.
  const [name] = view.split("-");
  const isMain = kind === "navigation" || MAIN_VIEWS[kind]?.includes(name);
  return {
    ...titleOf(kind, name, state),
    ...(isMain && content),
    ...ownContent(component, view, name),
    ...(kind === "tips" && name === "tip" && tipContent(component, state)),
    ...(kind === "label" && faceOf(name, state)),
    ...(kind === "list" && name === "row" && rowOf(state, Number(view.slice(4)))?.content),
  };
}

/**
 * The text of a component, where `view` is null, or of a view, with its content. Labels and titles
 * of screens stand in the model. Undefined: there is no text.
 */
function textOf({ kind }, { model }, view, content) {
  let told = null;
  if (kind === "label" && view === null) told = model.text;
  if (kind === "navigation") {
    told = view === null ? model.title : model.screens?.find(({ name }) => name === view)?.title;
  }
  return told ?? content?.text ?? undefined;
}

/** The text and the picture of a label's view. */
function faceOf(name, { model }) {
  return name === "former"
    ? { text: model.former_text, image: model.former_image }
    : { text: model.text, image: model.image };
}

/** The item of `tabs` or `dynamics` that a view shows. */
function itemOf({ kind, parameters }, view) {
  const viewOf = ({ id }) => (kind === "tabs" ? `item-${id}` : id);
  return parameters.items?.find((item) => viewOf(item) === view);
}

/** Texts of tips and pages stand in the model. It has no title of the page that comes in. */
function titleOf(kind, name, { model }) {
  const hasTitle = (kind === "tips" && name === "tip") || (kind === "reader" && name === "page");
  return hasTitle && { text: model.title };
}

/** What the component's content says of this view alone. */
function ownContent({ kind, content }, view, name) {
  if (kind === "navigation") return content?.screens?.[view];
  // The label of a profile shows the content's `name` (docs/protocol/draw.md).
  const own = content?.[kind === "profile" && name === "label" ? "name" : name];
  // The view `label` may have a content whose `label` is a text for a screen reader.
  return typeof own === "object" ? own : undefined;
}

/** The content of the tip that shows. Cards of a command `present` bring theirs with them. */
function tipContent({ parameters }, { model }) {
  return model.content ?? parameters.tips?.[model.index]?.content;
}

// ---- client/layers.js ----

/**
 * The boxes to paint, nested, from back to front, by docs/protocol/draw.md. Lengths
 * are points, and angles radians, clockwise.
 *
 * @param {object | null} scene
 * @param {Map<string, object>} states by component, as `session.at()` gives them
 * @param {string | null} [parent] with `slot`: only what lies in this slot of this component;
 *   without both: what lies in no slot
 * @param {string | null} [slot] the name of the view that is the slot
 * @returns {object[]} what `gestured.d.ts` calls `Layer`
 */
function layers(scene, states, parent = null, slot = null) {
  return (scene?.components ?? [])
    .filter((component) => component.parent === parent && component.slot === slot)
    .filter((component) => states.has(component.id))
    .map((component) => componentLayer(scene, states, component));
}

function componentLayer(scene, states, component) {
  const { id, frame: [left, top, w, h], clip, content } = component;
  const state = states.get(id);
  const children = Object.keys(state.views)
    .map((view) => viewLayer(scene, states, component, view))
    .sort((a, b) => a.z - b.z);
  return {
    key: id, component: id, view: null,
    left, top, w, h, rotation: 0, scale: 1, alpha: 1, round: false, clip,
    content, text: textOf(component, state, null, content), children,
  };
}

function viewLayer(scene, states, component, view) {
  const { id, kind, parameters } = component;
  const state = states.get(id);
  const place = state.views[view];
  const content = contentOf(component, state, view);
  const isCircle = kind === "dynamics"
    && parameters.items?.find((item) => item.id === view)?.shape === "circle";
  return {
    ...place,
    key: `${id}/${view}`, component: id, view,
    left: place.x - place.w / 2, top: place.y - place.h / 2, round: Boolean(isCircle), clip: false,
    content, text: textOf(component, state, view, content),
    children: layers(scene, states, id, view),
  };
}

// ---- client/hit.js ----

/** The kinds that scroll. They take touches on their whole frame. */
const SCROLLING_KINDS = ["list", "profile", "reader"];

/**
 * What a touch would reach, by docs/protocol/touch.md.
 *
 * @param {object | null} scene
 * @param {Map<string, object>} states by component
 * @param {number} x points of the viewport, from its left edge
 * @param {number} y points of the viewport, from its top edge
 * @returns {{component: string, view: string | null} | null} null where there is nothing
 */
function hit(scene, states, x, y) {
  const kinds = new Map(scene?.components.map(({ id, kind }) => [id, kind]));
  const context = { kinds, states };
  return frontmost(layers(scene, states), (layer) => hitComponent(layer, { x, y }, context));
}

/** The first result that is not null, from front to back: layers begin with what is at the back. */
function frontmost(list, find) {
  for (const layer of list.toReversed()) {
    const found = find(layer);
    if (found) return found;
  }
  return null;
}

/** Searches a component; `outer` is the point in the coordinates of what holds it. */
function hitComponent(layer, outer, context) {
  const { component, left, top, w, h, clip, children } = layer;
  const kind = context.kinds.get(component);
  const point = { x: outer.x - left, y: outer.y - top };
  const frame = { w, h, round: false };
  if (clip && !contains(frame, point)) return null;
  // During its transition, a navigation takes all touches, even those on what its screens hold.
  const isInTransition = kind === "navigation"
    && context.states.get(component).phase === "transitioning";
  const found = frontmost(children, (view) =>
    hitView(view, point, context, { kind, hidesChildren: isInTransition }));
  if (found) return found;
  if (isInTransition) return { component, view: null };
  if (SCROLLING_KINDS.includes(kind) && contains(frame, point)) return { component, view: null };
  // Tips are modal while they show.
  return kind === "tips" && children.length ? { component, view: "backdrop" } : null;
}

/** Searches what a view holds, and then the view itself. */
function hitView(layer, outer, context, { kind, hidesChildren }) {
  // A view of scale 0 has no inside.
  if (!layer.scale) return null;
  const point = pointInside(layer, outer);
  const inside = hidesChildren
    ? null
    : frontmost(layer.children, (component) => hitComponent(component, point, context));
  if (inside) return inside;
  const isHit = takesTouches(kind, layer) && contains(layer, point);
  return isHit ? { component: layer.component, view: layer.view } : null;
}

/** The point's place in a view's untransformed box, from its top left corner. */
function pointInside({ left, top, w, h, rotation, scale }, { x, y }) {
  const dx = x - left - w / 2;
  const dy = y - top - h / 2;
  const cos = Math.cos(rotation) / scale;
  const sin = Math.sin(rotation) / scale;
  return { x: dx * cos + dy * sin + w / 2, y: dy * cos - dx * sin + h / 2 };
}

function contains({ w, h, round }, { x, y }) {
  if (round) return Math.hypot(x - w / 2, y - h / 2) < w / 2;
  return x >= 0 && x < w && y >= 0 && y < h;
}

function takesTouches(kind, { view, children, alpha }) {
  switch (kind) {
    case "toss":
      return view === "item";
    case "tips":
      return view === "tip";
    case "label":
      return false;
    case "panel":
      return view === "backdrop" ? alpha >= 0.01 : view !== "content";
    case "tabs":
      // A page that the scene puts nothing into takes nothing.
      if (view.startsWith("page-")) return children.length > 0;
      return view === "bar" || view.startsWith("item-");
    default:
      return true;
  }
}

// ---- client/contacts.js ----

// Milliseconds after which a contact that rests is sent again: the daemon cancels one that is
// silent for 3 s.
const REPEAT_INTERVAL = 900;
// After so many CSS pixels, a contact drags and no longer clicks.
const DRAG_SLOP = 10;

/** The contacts (fingers, pens and the mouse's left button) that are down on an element. */
class Contacts {
  #element;
  #publish;
  #toPoint;
  #user;
  #contacts = new Map();
  // Pages that touch one session at the same time need contacts of different numbers. The numbers
  // of one page agree above their lowest 20 bits: so its contacts have one color.
  #firstNumber = Math.floor(Math.random() * 2 ** 31) * 2 ** 20;

  /**
   * `publish` publishes a sample; `toPoint` gives an event's point of the viewport; `user` is the
   * name of the person, if it is known.
   */
  constructor(element, publish, toPoint, user) {
    this.#element = element;
    this.#publish = publish;
    this.#toPoint = toPoint;
    this.#user = user;
  }

  has({ pointerId }) {
    return this.#contacts.has(pointerId);
  }

  begin(event) {
    // The daemon takes a second `began` of a number as the end of the first contact.
    clearInterval(this.#contacts.get(event.pointerId)?.timer);
    const contact = {
      number: this.#firstNumber + event.pointerId,
      start: { x: event.clientX, y: event.clientY },
      isCaptured: false,
      hasRawUpdates: false,
      lastSample: null,
      timer: undefined,
    };
    this.#contacts.set(event.pointerId, contact);
    this.#send(contact, "began", [event]);
  }

  move(event, isRawUpdate) {
    const contact = this.#contacts.get(event.pointerId);
    if (!contact) return;
    // A browser that has raw updates reports each move a second time, as `pointermove`. Events that
    // a script sends come once.
    const isRepeat = contact.hasRawUpdates && !isRawUpdate && event.isTrusted;
    if (isRepeat) return;
    contact.hasRawUpdates ||= isRawUpdate;
    if (!contact.isCaptured) this.#captureIfDragged(contact, event);
    // The last coalesced event is the event itself. Insecure pages have none of them.
    const coalesced = event.getCoalescedEvents?.().slice(0, -1) ?? [];
    this.#send(contact, "changed", [...coalesced, event]);
  }

  end(event, phase) {
    const contact = this.#contacts.get(event.pointerId);
    this.#send(contact, phase, [event]);
    clearInterval(contact.timer);
    this.#contacts.delete(event.pointerId);
  }

  cancelAll() {
    for (const contact of this.#contacts.values()) {
      clearInterval(contact.timer);
      this.#repeat(contact, "cancelled");
    }
    this.#contacts.clear();
  }

  /**
   * A contact is captured when it drags. Captured at once, it would also get the clicks meant for
   * buttons and links on the element.
   */
  #captureIfDragged(contact, { pointerId, clientX, clientY }) {
    const distance = Math.hypot(clientX - contact.start.x, clientY - contact.start.y);
    if (distance < DRAG_SLOP) return;
    contact.isCaptured = true;
    try {
      this.#element.setPointerCapture(pointerId);
    } catch {
      // The finger is gone already, or was a script's. Its events come all the same.
    }
  }

  #send(contact, phase, events) {
    for (const event of events) {
      const [x, y] = this.#toPoint(event);
      const t = performance.timeOrigin + event.timeStamp;
      contact.lastSample = {
        gesture: "pointer", phase, pointer: contact.number, x, y, t, ...this.#details(event),
      };
      this.#publish(contact.lastSample);
    }
    clearInterval(contact.timer);
    contact.timer = setInterval(() => this.#repeat(contact, "changed"), REPEAT_INTERVAL);
  }

  /** What else is known of a contact: a finger is what the daemon takes it for anyway. */
  #details({ pointerType, pressure }) {
    const details = this.#user === undefined ? {} : { user: this.#user };
    if (pointerType === "mouse" || pointerType === "pen") details.kind = pointerType;
    // A browser makes up the pressure of what has no sensor.
    if (pointerType === "pen") details.pressure = Math.min(Math.max(pressure, 0), 1);
    return details;
  }

  /** Sends the last sample again, with its time: nothing has moved since. */
  #repeat(contact, phase) {
    this.#publish({ ...contact.lastSample, phase });
  }
}

// ---- client/wheel.js ----

// Milliseconds without a wheel's event that end a series. So does a movement of the pointer.
const SERIES_PAUSE = 150;
// Points of a line, for wheels that count lines.
const POINTS_PER_LINE = 16;

/** How far a wheel's event goes, in points. */
function wheelDistance({ deltaX, deltaY, deltaMode }, element) {
  const points = {
    [WheelEvent.DOM_DELTA_PIXEL]: 1,
    [WheelEvent.DOM_DELTA_LINE]: POINTS_PER_LINE,
    [WheelEvent.DOM_DELTA_PAGE]: element.clientHeight,
  }[deltaMode];
  return { dx: deltaX * points, dy: deltaY * points };
}

/**
 * Decides whether the session or the page gets a wheel: the session where something scrolls under
 * it. A whole series goes where its first event went, so a page that scrolls goes on when a session
 * moves under the pointer.
 */
class WheelOwner {
  #client;
  #sessionName;
  #toPoint;
  #last = null;

  constructor(client, sessionName, toPoint) {
    this.#client = client;
    this.#sessionName = sessionName;
    this.#toPoint = toPoint;
  }

  /** Decides whether a wheel belongs to the session, and keeps that for its series. */
  decide(event) {
    const { clientX, clientY, timeStamp } = event;
    const last = this.#last;
    const isSameSeries = last !== null && timeStamp - last.timeStamp < SERIES_PAUSE
      && clientX === last.clientX && clientY === last.clientY;
    const isSession = isSameSeries ? last.isSession : this.#scrollsAt(...this.#toPoint(event));
    this.#last = { clientX, clientY, timeStamp, isSession };
    return isSession;
  }

  #scrollsAt(x, y) {
    const session = watchedSession(this.#client, this.#sessionName);
    // Nothing is known of a session that the client does not watch, so it gets every wheel.
    if (!session) return true;
    const { scene, states } = session;
    let id = hit(scene, states, x, y)?.component ?? null;
    while (id !== null) {
      const { kind, parent } = scene.components.find((component) => component.id === id);
      if (SCROLLING_KINDS.includes(kind)) return true;
      id = parent;
    }
    return false;
  }
}

// ---- client/capture.js ----

/**
 * Sends what happens on an element to a session: mouse, pen and touch as contacts, wheels as
 * wheels. Meanwhile the element's `touch-action` and `user-select` are "none".
 *
 * @param {HTMLElement} element
 * @param {Client} client
 * @param {string} session the session's name
 * @param {(event: MouseEvent) => [number, number]} [toPoint] the place of an event in points of the
 *   viewport; by default the element's layout box is the viewport, however it is scaled
 * @param {{ user?: string }} [options] `user` is the name of the person who touches it
 * @returns {() => void} ends it, and cancels the contacts that are down
 */
function capture(
  element, client, session, toPoint = (event) => pointOnElement(element, event), { user } = {},
) {
  const publish = (body) => client.publish(`gesture/${session}`, body);
  const controller = new AbortController();
  const { signal } = controller;
  const contacts = new Contacts(element, publish, toPoint, user);
  listenToPointers(element, contacts, signal);
  listenToWheel(element, new WheelOwner(client, session, toPoint), publish, toPoint, signal);
  const release = blockBrowserGestures(element);
  return () => {
    controller.abort();
    contacts.cancelAll();
    release();
  };
}

function pointOnElement(element, { clientX, clientY }) {
  const { x, y, width } = element.getBoundingClientRect();
  const zoom = width / element.offsetWidth;
  return [(clientX - x) / zoom, (clientY - y) / zoom];
}

// The elements that are captured: how often each is, and its own styles.
const taken = new WeakMap();

/**
 * Keeps the browser from scrolling, zooming and selecting by itself on an element.
 *
 * @returns {() => void} ends it; the element has its own styles again when the last one has ended
 */
function blockBrowserGestures(element) {
  const { touchAction, userSelect } = element.style;
  const entry = taken.get(element) ?? { count: 0, touchAction, userSelect };
  taken.set(element, entry);
  entry.count += 1;
  Object.assign(element.style, { touchAction: "none", userSelect: "none" });
  return () => {
    entry.count -= 1;
    if (entry.count > 0) return;
    taken.delete(element);
    element.style.touchAction = entry.touchAction;
    element.style.userSelect = entry.userSelect;
  };
}

function listenToPointers(element, contacts, signal) {
  element.addEventListener("pointerdown", (event) => {
    const isMainButton = event.button === 0;
    if (isMainButton) contacts.begin(event);
  }, { signal });

  const endWith = (phase) => (event) => {
    if (contacts.has(event)) contacts.end(event, phase);
  };
  // While another button of the mouse is down, the left one comes and goes by `pointermove`.
  const moved = (event) => {
    const isLeftButton = event.isTrusted && event.pointerType === "mouse" && event.button === 0;
    const isDown = (event.buttons & 1) !== 0;
    if (isLeftButton && !isDown && contacts.has(event)) contacts.end(event, "ended");
    else if (isLeftButton && isDown && element.contains(event.target)) contacts.begin(event);
    else contacts.move(event, false);
  };
  // Until a contact is captured, its events may go to what lies beside the element.
  const onWindow = {
    // Sent at once, where `pointermove` waits for the next picture.
    pointerrawupdate: (event) => contacts.move(event, true),
    pointermove: (event) => moved(event),
    pointerup: endWith("ended"),
    pointercancel: endWith("cancelled"),
  };
  for (const [type, listener] of Object.entries(onWindow)) {
    window.addEventListener(type, listener, { signal });
  }
  const cancel = endWith("cancelled");
  element.addEventListener("lostpointercapture", (event) => {
    // It bubbles: what lies on the element may have lost a pointer of its own.
    if (event.target === element) cancel(event);
  }, { signal });

  // A link or a picture that the browser drags away would cancel the contact.
  element.addEventListener("dragstart", (event) => event.preventDefault(), { signal });
}

function listenToWheel(element, owner, publish, toPoint, signal) {
  element.addEventListener("wheel", (event) => {
    // With Ctrl the browser zooms.
    if (event.ctrlKey || !owner.decide(event)) return;
    event.preventDefault();
    const [x, y] = toPoint(event);
    const t = performance.timeOrigin + event.timeStamp;
    publish({ gesture: "wheel", ...wheelDistance(event, element), x, y, t });
  }, { signal, passive: false });
}

export { Client, connect, GesturedError, Session, interpolate, layers, rowOf, hit, capture };
