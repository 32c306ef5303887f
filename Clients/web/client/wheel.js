import { hit, SCROLLING_KINDS } from "./hit.js";
import { watchedSession } from "./session.js";

// Milliseconds without a wheel's event that end a series. So does a movement of the pointer.
const SERIES_PAUSE = 150;
// Points of a line, for wheels that count lines.
const POINTS_PER_LINE = 16;

/** How far a wheel's event goes, in points. */
export function wheelDistance({ deltaX, deltaY, deltaMode }, element) {
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
export class WheelOwner {
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
