import { EpochOrder } from "./epochs.js";
import { uniqueId } from "./ids.js";

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
export class SessionUpdates {
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
