// Puts the page together.

import { connect } from "/gestured.js";
import { h, icon } from "./dom.js";
import { debounced, each } from "./loop.js";
import { Stage } from "./stage.js";

const at = (id) => document.getElementById(id);
const query = new URLSearchParams(location.search);
const DEFAULT_SESSION = "alice";

const client = connect();
const stage = new Stage(client, { label: "The session's screen" });
at("mount").append(stage.device);

function place() {
  const box = at("mount");
  const style = getComputedStyle(box);
  const across = parseFloat(style.paddingLeft) * 2 + 24;
  const along = parseFloat(style.paddingTop) * 2 + 24;
  stage.fit(box.clientWidth - across, box.clientHeight - along, 1.5);
}

new ResizeObserver(place).observe(at("mount"));

async function open(name, scene) {
  if (client.state !== "open") await new Promise((done) =>
    client.addEventListener("state", () => client.state === "open" && done()));
  await client.request("open", { session: name, ...(scene ? { scene } : { scene: "phone" }) });
  stage.open(name);
  at("session").value = name;
}

at("opener").addEventListener("submit", (event) => {
  event.preventDefault();
  open(at("session").value, at("scene").value);
});
each((now) => stage.paint(now));
open(query.get("session") ?? DEFAULT_SESSION, query.get("scene"));
