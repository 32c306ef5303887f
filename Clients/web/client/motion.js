// How many states of a component are kept: 6 in 50 ms at 120 frames a second, and one at each end.
const HISTORY_MAX = 8;
// The key of a state's own field: the milliseconds that the motion to it takes. It is a symbol, so
// that it is not in the state's JSON.
const MOTION_TIME = Symbol("motion time");

/** Links a new state to the last one of its component, and notes the frame's `seq` and `t`. */
export function withHistory(state, last, { seq, t }, motionTime) {
  // A state of the same instant, or of an earlier one, takes the last one's place.
  const former = last?.t < t ? last : last?.former;
  const newest = { ...state, seq, t, former, [MOTION_TIME]: motionTime };
  forgetOldStates(newest);
  return newest;
}

/** The state as a frame brought it, without what was added here. */
export function withoutHistory(state) {
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
export function stateAt(newest, instant) {
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
export function interpolate(a, b, f) {
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
