// Puts the page together.

import { PageClient } from "./page-client.js";
import { desk } from "./desk/desk.js";
import { h } from "./dom.js";
import { Editor } from "./desk/editor.js";
import { gallery } from "./gallery/gallery.js";
import { Caption } from "./stage/caption.js";
import { Log } from "./desk/log.js";
import { each } from "./loop.js";
import { Machines } from "./desk/machines.js";
import { fitWindow } from "./stage/sizes.js";
import { chooseScene, Keeper, linkState, opener, OWN_PREFIX } from "./sessions.js";
import { Stage } from "./stage/stage.js";
import { dropping, Tape } from "./desk/tape.js";
import { Timeline } from "./desk/timeline.js";
import { tools } from "./stage/tools.js";
import { Vitals } from "./desk/vitals.js";
import { wall } from "./gallery/wall.js";

const at = (id) => document.getElementById(id);
const query = new URLSearchParams(location.search);
// The session that the tour plays in.
const DEFAULT_SESSION = "alice";

const client = new PageClient();
linkState(client, at("link"));
if (query.has("sessions")) wall(client, query);
else lab();

function lab() {
  const stage = new Stage(client, { label: "The session's screen" });
  const keeper = new Keeper(client, stage);
  at("mount").append(stage.device);
  const say = (text) => { at("badges").textContent = text; };
  const caption = new Caption(at("caption"), client, stage, keeper);
  const vitals = new Vitals(client, stage);
  const log = new Log(say);
  const timeline = new Timeline();
  const machines = new Machines(client, stage, (detail) => {
    log.refused(detail);
    timeline.note("rejected", detail.code);
  });
  client.addEventListener("error", ({ detail: { code, message } }) => {
    log.refused({ code, message, topic: "gesture-web" });
    caption.tell(message);
  });
  stage.screen.addEventListener("pointerdown", () => {
    if (client.web?.read_only) caption.tell("This page is read only: it shows what others do.");
  });
  const editor = new Editor(client, stage);
  const followers = [vitals, log, timeline, machines, editor];

  const open = async (name, scene) => {
    at("session").value = name;
    document.title = name.startsWith(OWN_PREFIX) ? "gestured" : `${name} · gestured`;
    const opening = keeper.open(name, scene);
    for (const one of followers) one.follow(stage.session);
    await opening;
  };
  const tape = new Tape(client, stage, { open, caption: (text) => caption.tell(text) });
  followers.push(tape);
  caption.isPlaying = () => tape.isPlaying;
  client.onPublished((topic, body) => {
    tape.take(topic, body);
    stage.fingers.take(topic, body);
  });
  desk(at("desk"), [
    { id: "watch", title: "Watch", content: [vitals.element, timeline.element,
      h("div", { class: "halves" }, machines.element, log.element)] },
    { id: "edit", title: "Edit", content: editor.element, shown: () => editor.show() },
    { id: "record", title: "Record", content: tape.element },
  ]);
  stage.addEventListener("drawn", () => chooseScene(at("scene"), stage.scene.scene));
  const isAlone = query.has("alone");
  if (isAlone) document.querySelector("main").prepend(h("h1", { class: "unseen" }, "The stage"));
  fitWindow(stage, at("mount"), isAlone);
  tools(at("tools"), client, stage, query, (text) => caption.tell(text));
  opener(client, at("opener"), async (name, scene) => {
    history.pushState(null, "", `?session=${encodeURIComponent(name)}`);
    tape.stop({ next: name });
    const isShown = name === stage.session?.name && stage.scene;
    if (!isShown) await open(name, scene);
    // The shown session becomes another scene; one that is only opened keeps its own.
    else if (scene && scene !== stage.scene.scene) {
      await client.request("open", { session: name, scene, replace: true })
        .catch((error) => caption.tell(error.message));
    }
  });
  addEventListener("popstate", () => {
    const name = new URLSearchParams(location.search).get("session") ?? DEFAULT_SESSION;
    tape.stop({ next: name });
    if (name !== stage.session?.name) open(name);
  });
  if (!isAlone) dropping(at("drop"), (file) => tape.takeFile(file));

  const cards = isAlone ? [] : gallery(client, at("cards"), () => {
    at("stage").scrollIntoView();
    tape.tour();
  });
  each((now) => {
    if (stage.paint(now)) caption.guide();
    return !stage.isResting;
  });
  each((now) => timeline.paint(now));
  for (const card of cards) each((now) => card.stage.paint(now) || !card.stage.isResting);
  // For those who look behind the page, and for its tests.
  window.gestured = { client, stage, cards, tape, editor };
  at("scene").dataset.wanted = query.get("scene") ?? "";
  open(query.get("session") ?? DEFAULT_SESSION, query.get("scene"));
}
