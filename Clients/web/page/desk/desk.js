// Sheets behind tabs: what happens, the scene's text, recordings.

import { h } from "../dom.js";

/** Tabs over sheets, by the pattern that keyboards and screen readers know. */
export function desk(element, sheets) {
  const bar = h("div", { class: "tabs", role: "tablist", "aria-label": "Instruments" });
  const entries = sheets.map(({ id, title, content, shown }) => {
    const tab = h("button", { type: "button", role: "tab", id: `tab-${id}`,
      "aria-controls": `sheet-${id}`, click: () => choose(id) }, title);
    const sheet = h("div", { class: "sheet", role: "tabpanel", id: `sheet-${id}`,
      "aria-labelledby": `tab-${id}` }, content);
    return { id, tab, sheet, shown };
  });
  const choose = (id) => {
    for (const entry of entries) {
      const isChosen = entry.id === id;
      entry.tab.setAttribute("aria-selected", String(isChosen));
      entry.tab.tabIndex = isChosen ? 0 : -1;
      entry.sheet.hidden = !isChosen;
      if (isChosen) entry.shown?.();
    }
  };
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const index = entries.findIndex(({ tab }) => tab === document.activeElement);
    const next = entries.at((index + step) % entries.length);
    next.tab.focus();
    choose(next.id);
  });
  bar.append(...entries.map(({ tab }) => tab));
  element.append(bar, ...entries.map(({ sheet }) => sheet));
  choose(entries[0].id);
  return choose;
}
