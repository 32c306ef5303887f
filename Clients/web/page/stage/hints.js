// Hints for a person: what a hand can do with the component that lies in front.

// By kind, a sentence; or null where no hand can do it now.
const HINTS = {
  tips: (_, { phase, views }) =>
    (views.tip && phase !== "dismissing" ? "Drag the card aside and let go." : null),
  toss: () => "Throw it. It comes back.",
  list: listHint,
  reader: (_, { model }) =>
    (model.index < model.count - 1 ? "Pull up past the end for the next page." : null),
  profile: () => "Scroll, and watch the header.",
  navigation: ({ pop_edge: edge }, { model }) =>
    (edge > 0 && model.stack?.length > 1 ? "Drag from the left edge to go back." : null),
  tabs: () => "Touch a tab.",
  button: (_, { phase }) => (phase === "disabled" ? null : "Tap it, or hold it."),
  panel: ({ drag }, { views: { panel } }, [, , w, h]) =>
    (drag !== "none" && panel && overlaps(panel, w, h) ? "Drag it from one place to the next."
      : null),
  dynamics: ({ drag }, { views }) =>
    (drag && Object.keys(views).length ? "Pick something up, and throw it." : null),
};

/** One sentence about what lies furthest in front among all that a hand can act on; else "". */
export function hint(stage) {
  const { scene, session } = stage;
  if (!scene || !session) return "";
  const { states } = session;
  const modal = modalOf(scene, states);
  // Nothing behind cards can be touched.
  const touchable = modal ? [modal]
    : scene.components.filter((one) => isInSight(one, scene, states));
  for (const component of touchable.toReversed()) {
    const { id, kind, parameters, frame } = component;
    const rows = session.rows.get(id)?.count ?? parameters.rows;
    const sentence = states.has(id) && HINTS[kind]?.(parameters, states.get(id), frame, rows);
    if (sentence) return sentence;
  }
  return "";
}

/** The component in front of which nothing else can be touched, or null. */
export function modalOf(scene, states) {
  return scene.components.findLast((one) => one.kind === "tips"
    && states.get(one.id)?.views.backdrop && placeOf(one, scene, states)) ?? null;
}

function listHint({ row_height: height, side }, _, [, , , shown], rows) {
  const opens = rows > 0 && side !== "none";
  if (rows * height <= shown) return opens ? "Swipe a row aside." : null;
  return opens ? "Fling the rows, or swipe one aside." : "Fling the rows.";
}

/** Whether any of a view lies in its component's frame of w by h. */
export function overlaps(view, w, h) {
  return Math.abs(view.x - w / 2) < (view.w + w) / 2 && Math.abs(view.y - h / 2) < (view.h + h) / 2;
}

/** Whether any of it lies in the viewport: what stands on a closed sheet does not. */
function isInSight(component, scene, states) {
  const [left, top] = placeOf(component, scene, states) ?? [Infinity, Infinity];
  const [, , w, h] = component.frame;
  return left < scene.viewport[0] && top < scene.viewport[1] && left + w > 0 && top + h > 0;
}

/** The top left corner in the viewport, as if nothing were turned; null: its slot is absent. */
function placeOf({ parent, slot, frame: [x, y] }, scene, states) {
  if (parent === null) return [x, y];
  const view = states.get(parent)?.views[slot];
  const holder = scene.components.find(({ id }) => id === parent);
  const outer = view && holder ? placeOf(holder, scene, states) : null;
  return outer && [outer[0] + view.x - view.w / 2 + x, outer[1] + view.y - view.h / 2 + y];
}
