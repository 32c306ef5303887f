// The session's history in words, the newest first.

import { h } from "../dom.js";

// Lines that stay; a person reads the newest.
const LINES_MAX = 80;

/** A list of a session's transitions, badges, life and refusals. */
export class Log {
  #start = performance.now();

  /** `say` tells a screen reader what should not be missed. */
  constructor(say) {
    this.say = say;
    this.list = h("ol", { class: "log", "aria-label": "Log of the session", tabindex: "0" });
    this.element = this.list;
  }

  /** Follows another session. */
  follow(session) {
    session.addEventListener("transition", ({ detail }) => {
      const { component, name, event, from, to, row, action, boundary, token } = detail;
      const ends = from !== undefined ? `${from} → ${to}` : "";
      const more = [
        ends, row !== undefined ? `row ${row}` : "", action ?? "", boundary ?? "",
        token !== undefined ? `symbol ${token}` : "",
      ];
      this.add(component, `${name} ${event}`, more.filter(Boolean).join(", "));
    });
    let version = null;
    session.addEventListener("badge", ({ detail }) => {
      // A badge that is sent again, or that a snapshot repeats, is no news.
      if (detail.version === version) return;
      version = detail.version;
      const text = counts(detail);
      this.add("badges", text || "none");
      this.say(text ? `Badges: ${text}` : "No badges");
    });
    let life = null;
    session.addEventListener("session", ({ detail }) => {
      const { event, epoch } = detail;
      const isOver = event === "closed" || event === "expired";
      if (life === `${epoch} ${event}` || (life === null && isOver)) return;
      life = `${epoch} ${event}`;
      this.add("session", event, detail.scene ?? "");
    });
    session.addEventListener("gap", ({ detail }) =>
      this.add("gap", `${detail.missed} missed on ${detail.kind}`));
    session.addEventListener("rejected", ({ detail }) => this.refused(detail));
  }

  /** A refusal of an event or a request. */
  refused({ code, message, topic }) {
    this.add(topic ?? "refused", code, message, "is-refused");
    this.say(`Refused: ${message}`);
  }

  add(source, what, more = "", kind = "") {
    const seconds = ((performance.now() - this.#start) / 1000).toFixed(1);
    this.list.prepend(h("li", { class: kind }, h("time", {}, seconds),
      h("b", {}, source), h("span", {}, what), more ? h("small", {}, more) : null));
    while (this.list.children.length > LINES_MAX) this.list.lastChild.remove();
  }
}

/** A badge as words, with the kinds' own names: "3 likes, 1 comments". */
export const counts = (badge) => Object.entries(badge?.counts ?? {})
  .filter(([, count]) => count > 0).map(([kind, count]) => `${count} ${kind}`).join(", ");
