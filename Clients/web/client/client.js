import { Connection } from "./connection.js";
import { errorFrom } from "./errors.js";
import { emit, emitError } from "./events.js";
import { uniqueId } from "./ids.js";
import { Session } from "./session.js";
import { Subscriptions } from "./subscriptions.js";

// Milliseconds before an event that was not answered is sent again.
const REPEAT_DELAY = 100;

/**
 * Connects to a gesture-web, and tries for ever.
 *
 * @param {string | URL} [url] by default the folder of the page's address
 * @returns {Client}
 */
export function connect(url) {
  return new Client(url);
}

/**
 * One connection to a gesture-web, with the requests, subscriptions and sessions on it. It
 * reconnects by itself. Its events are "state", "web" and "error". "state" also comes when the
 * daemon behind an open connection has restarted.
 */
export class Client extends EventTarget {
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
