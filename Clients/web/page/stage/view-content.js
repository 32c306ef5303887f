// The keys of content, and what they mean here.

import { hasIcon, worded } from "../dom.js";

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
  const wanted = [content?.image, ...names].map((name) => worded(name).toLowerCase());
  return wanted.find(hasIcon) ?? null;
}

// A name of a file, and nothing that leads elsewhere.
const PHOTO = /^[a-z0-9][a-z0-9-]{0,59}\.webp$/;

/** The address of a picture in the page's `images`; null where a name is none of these. */
export function photo(name) {
  return PHOTO.test(worded(name)) ? `images/${name}` : null;
}

const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const lights = new Map();
const COLORS_MAX = 512; // Colors that are remembered: a hostile scene could bring any number.
// The least contrast of text, by the guidelines for accessible content.
const CONTRAST = 4.5;
const [DARK, LIGHT] = ["#16191d", "#ffffff"];

/** How light a color is: its red, green and blue, and its relative luminance. */
function light(color) {
  if (!lights.has(color)) {
    if (lights.size >= COLORS_MAX) lights.clear();
    probe.fillStyle = LIGHT;
    probe.fillRect(0, 0, 1, 1);
    probe.fillStyle = color;
    probe.fillRect(0, 0, 1, 1);
    lights.set(color, [...probe.getImageData(0, 0, 1, 1).data].slice(0, 3));
  }
  return lights.get(color);
}

function luminance(parts) {
  const [r, g, b] = parts.map((part) => {
    const value = part / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** A color that may stand in a list of others, such as a gradient's; null for anything else. */
export function colored(value) {
  const text = worded(value);
  return CSS.supports("color", text) ? text : null;
}

/** The color of text that can be read best on a background. */
export function inkOn(background) {
  if (!background) return null;
  const back = light(background);
  return contrast(back, light(DARK)) >= contrast(back, light(LIGHT)) ? DARK : LIGHT;
}

/**
 * The shade that must lie between a background and its text so that it can be read; empty where
 * it can be read as it is. So content keeps its colors, and its texts stay readable.
 */
export function backing(color, background) {
  if (!color || !background) return "";
  const [text, back] = [light(color), light(background)];
  const toward = luminance(text) > luminance(back) ? 0 : 255;
  for (let alpha = 0; alpha <= 0.9; alpha += 0.04) {
    const mixed = back.map((part) => part + (toward - part) * alpha);
    if (contrast(text, mixed) < CONTRAST + (alpha && 0.15)) continue;
    return alpha ? `rgb(${toward} ${toward} ${toward} / ${alpha.toFixed(2)})` : "";
  }
  return "";
}
