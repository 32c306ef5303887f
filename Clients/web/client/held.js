import { RELEASE_TIME } from "./delay.js";

/** The component as a whole, in place of one of its views. */
export const WHOLE = Symbol("whole component");

/** Which components and views a hand holds or has just moved, and when it did so last. */
export class HeldViews {
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
