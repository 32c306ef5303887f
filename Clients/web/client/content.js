import { rowOf } from "./rows.js";

// The views whose content is the component's `content` itself. All screens of a navigation are such
// views.
const MAIN_VIEWS = {
  tips: ["tip"],
  toss: ["item"],
  profile: ["content"],
  list: ["row"],
  reader: ["page", "incoming"],
  tabs: ["bar"],
  button: ["button"],
  label: ["label", "former"],
  panel: ["panel"],
};

/** The content of a view, by the conventions of docs/protocol/draw.md. */
export function contentOf(component, state, view) {
  const item = itemOf(component, view);
  if (item) return { ...item.content };
  const { kind, content } = component;
  // `row` of `row-3`.
  const [name] = view.split("-");
  const isMain = kind === "navigation" || MAIN_VIEWS[kind]?.includes(name);
  return {
    ...titleOf(kind, name, state),
    ...(isMain && content),
    ...ownContent(component, view, name),
    ...(kind === "tips" && name === "tip" && tipContent(component, state)),
    ...(kind === "label" && faceOf(name, state)),
    ...(kind === "list" && name === "row" && rowOf(state, Number(view.slice(4)))?.content),
  };
}

/**
 * The text of a component, where `view` is null, or of a view, with its content. Labels and titles
 * of screens stand in the model. Undefined: there is no text.
 */
export function textOf({ kind }, { model }, view, content) {
  let told = null;
  if (kind === "label" && view === null) told = model.text;
  if (kind === "navigation") {
    told = view === null ? model.title : model.screens?.find(({ name }) => name === view)?.title;
  }
  return told ?? content?.text ?? undefined;
}

/** The text and the picture of a label's view. */
function faceOf(name, { model }) {
  return name === "former"
    ? { text: model.former_text, image: model.former_image }
    : { text: model.text, image: model.image };
}

/** The item of `tabs` or `dynamics` that a view shows. */
function itemOf({ kind, parameters }, view) {
  const viewOf = ({ id }) => (kind === "tabs" ? `item-${id}` : id);
  return parameters.items?.find((item) => viewOf(item) === view);
}

/** Texts of tips and pages stand in the model. It has no title of the page that comes in. */
function titleOf(kind, name, { model }) {
  const hasTitle = (kind === "tips" && name === "tip") || (kind === "reader" && name === "page");
  return hasTitle && { text: model.title };
}

/** What the component's content says of this view alone. */
function ownContent({ kind, content }, view, name) {
  if (kind === "navigation") return content?.screens?.[view];
  // The label of a profile shows the content's `name` (docs/protocol/draw.md).
  const own = content?.[kind === "profile" && name === "label" ? "name" : name];
  // The view `label` may have a content whose `label` is a text for a screen reader.
  return typeof own === "object" ? own : undefined;
}

/** The content of the tip that shows. Cards of a command `present` bring theirs with them. */
function tipContent({ parameters }, { model }) {
  return model.content ?? parameters.tips?.[model.index]?.content;
}
