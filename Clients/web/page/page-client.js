// The page's client.

import { Client } from "../gestured.js";

/**
 * A client that tells listeners of every event that the page sends. It sends nothing that no daemon
 * would take: a hand's samples to a gesture-web that is read-only, or that has no daemon.
 */
export class PageClient extends Client {
  #listeners = new Set();

  /** Calls `listener(topic, body)` for each event that the page sends. */
  onPublished(listener) {
    this.#listeners.add(listener);
  }

  publish(topic, body) {
    if (this.web && (this.web.read_only || !this.web.daemon)) return false;
    const isSent = super.publish(topic, body);
    if (isSent) this.#tell(topic, body);
    return isSent;
  }

  acknowledged(topic, body) {
    this.#tell(topic, body);
    return super.acknowledged(topic, body);
  }

  #tell(topic, body) {
    for (const listener of this.#listeners) listener(topic, body);
  }
}
