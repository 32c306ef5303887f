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
export const RELEASE_TIME = DELAY_MAX + DELAY_MAX / RELEASE_SLOWDOWN;

/**
 * How late the frames of a session are drawn: so late that nearly all of them have come by then.
 * Games call this an interpolation delay, telephony a jitter buffer.
 *
 * A frame's `t` is a time of the daemon's clock, a picture's one of `performance.now()`. Delays are
 * differences between the two, so the clocks need not agree.
 */
export class InterpolationDelay {
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
