import { InterpolationDelay } from "./delay.js";
import { emit } from "./events.js";
import { HeldViews, WHOLE } from "./held.js";
import { SessionUpdates } from "./join.js";
import { stateAt, withHistory, withoutHistory } from "./motion.js";
import { replaceRows, withRows } from "./rows.js";

// The sessions that each client watches, by name: `capture` asks what lies under a wheel.
const watchedSessions = new WeakMap();

/** The session of this name if the client watches it. */
export function watchedSession(client, name) {
  return watchedSessions.get(client)?.get(name);
}

/** One session as it is now. Its events have the bodies of updates as their `detail`. */
export class Session extends EventTarget {
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
