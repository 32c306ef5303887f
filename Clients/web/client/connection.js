import { errorFrom } from "./errors.js";

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
export class Connection {
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
