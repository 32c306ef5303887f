// Hints for a person, by the component that lies in front.

const HINTS = {
  tips: "Drag the card aside and let go.",
  toss: "Throw it. It comes back.",
  list: "Fling the rows, or swipe one aside.",
  reader: "Pull up past the end for the next page.",
  profile: "Scroll, and watch the header.",
  navigation: "Send a like, and a screen slides in. Drag from the left edge to go back.",
  tabs: "Touch a tab.",
  button: "Tap it, or hold it.",
  panel: "Drag it from one place to the next.",
  dynamics: "Pick something up, and throw it.",
};

/** One sentence about the component that lies in front. */
export function hint(stage) {
  const { scene } = stage;
  const states = stage.session?.states;
  if (!scene || !states) return "";
  if (stage.modal) return HINTS.tips;
  const isShown = (one) => {
    if (one.kind === "tips" && !states.get(one.id)?.views.tip) return false;
    if (one.parent === null) return true;
    const parent = scene.components.find((other) => other.id === one.parent);
    return Boolean(states.get(one.parent)?.views[one.slot]) && isShown(parent);
  };
  const shown = scene.components.filter(isShown);
  return HINTS[shown.at(-1)?.kind] ?? "";
}
