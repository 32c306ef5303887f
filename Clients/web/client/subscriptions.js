// Milliseconds before a refused subscription is sent again: the first delay and the longest one.
const RESUBSCRIBE_DELAY_MIN = 100;
const RESUBSCRIBE_DELAY_MAX = 2_000;

/** The subscriptions of a client. They outlive its connections. */
export class Subscriptions {
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
