// Many sessions side by side: /?sessions=a,b,c

import { h } from "../dom.js";
import { each } from "../loop.js";
import { Keeper } from "../sessions.js";
import { Stage } from "../stage/stage.js";

// Sessions of one wall; more would be too small to be seen.
const SESSIONS_MAX = 40;

/** Shows the sessions that the address names, each opened where it is not there. */
export function wall(client, query) {
  document.body.classList.add("is-wall");
  const names = [...new Set(query.get("sessions").split(","))].filter(Boolean)
    .slice(0, SESSIONS_MAX);
  const list = h("ul", { class: "wall", id: "stage", tabindex: "-1" });
  document.querySelector("main").replaceChildren(h("h2", { class: "unseen" }, "Sessions"), list);
  const stages = names.map((name) => {
    const stage = new Stage(client, { label: `Session ${name}`, keys: false });
    const keeper = new Keeper(client, stage);
    const note = h("p", {}, h("a", { href: `?session=${encodeURIComponent(name)}` }, name));
    keeper.addEventListener("fault", () => {
      note.lastChild.title = keeper.fault ?? "";
    });
    list.append(h("li", {}, stage.device, note));
    keeper.open(name, query.get("scene"));
    return stage;
  });
  const fit = () => {
    const columns = Math.max(1, Math.min(names.length,
      Math.round(Math.sqrt(names.length * list.clientWidth / innerHeight * 1.9))));
    const rows = Math.ceil(names.length / columns);
    const width = list.clientWidth / columns - 40;
    const height = (innerHeight - 90) / rows - 76;
    for (const stage of stages) stage.fit(width, Math.max(160, height), 1);
    list.style.setProperty("--columns", columns);
  };
  new ResizeObserver(fit).observe(list);
  fit();
  window.gestured = { client, stages };
  for (const stage of stages) each((now) => stage.paint(now) || !stage.isResting);
}
