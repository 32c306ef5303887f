import { h, icon, worded } from "../dom.js";
import { own, photo, picture } from "./view-content.js";

/** A label: a text, a picture, or both. */
export function label({ content }, view, model) {
  const isFormer = view === "former";
  const text = isFormer ? model.former_text : model.text;
  const image = isFormer ? model.former_image : model.image;
  const drawn = picture({ image });
  return {
    kind: "label", key: `${text} ${image}`, style: own(content), photo: photo(image),
    label: content.label,
    draw: (face) => face.append(
      ...(drawn ? [icon(drawn, 20)] : []), ...(text ? [h("span", {}, worded(text))] : [])),
  };
}
