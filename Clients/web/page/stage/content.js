// What the keys of content mean here.

import { hasIcon } from "../dom.js";

/** The keys of content that are no tables of other views. */
export function own(content) {
  const kept = {};
  for (const [key, value] of Object.entries(content ?? {})) {
    if (value === null || typeof value !== "object") kept[key] = value;
  }
  return kept;
}

/** The picture that a table names: one of ours, or none. */
export function picture(content, ...names) {
  const wanted = [content?.image, ...names].map((name) => String(name ?? "").toLowerCase());
  return wanted.find(hasIcon) ?? null;
}

const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const inks = new Map();
const INKS_MAX = 512; // Colors that are remembered: a hostile scene could bring any number.

/** The color of text that can be read on a background: dark ink on light, white on dark. */
export function inkOn(background) {
  if (!background) return null;
  if (!inks.has(background)) {
    if (inks.size >= INKS_MAX) inks.clear();
    probe.fillStyle = "#ffffff";
    probe.fillStyle = background;
    probe.fillRect(0, 0, 1, 1);
    const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
    inks.set(background, luminance(r, g, b) > 0.36 ? "#16191d" : "#ffffff");
  }
  return inks.get(background);
}

function luminance(...parts) {
  const [r, g, b] = parts.map((part) => {
    const value = part / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
