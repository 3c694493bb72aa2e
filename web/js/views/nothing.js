import { fill, h, icon } from "../dom.js";
import { canTurnOn, notifying } from "./notifications.js";

/** The text where no card stands. Nothing is known to be open only while connected. */
const WORDS = {
  online: ["inbox", "Nothing to answer", "Requests of Claude Code appear here."],
  connecting: ["clock", "Connecting…", "What is open comes when the daemon has answered."],
  offline: ["plug", "Offline", "Requests may be open. They come when the connection is back."],
};

/** @param {HTMLElement} element @param {boolean} isHidden @param {import("../app.js").App} app */
export function showNothing(element, isHidden, app) {
  const { phase } = app.link;
  element.hidden = isHidden;
  if (element.dataset.phase === phase) return;
  element.dataset.phase = phase;
  const [drawing, headline, text] = WORDS[/** @type {keyof typeof WORDS} */ (phase)] ?? WORDS.offline;
  fill(element, icon(/** @type {any} */ (drawing)), h("h2", {}, headline), h("p", {}, text),
    phase === "online" && matchMedia("(hover: hover)").matches ? h("p.note", {}, h("kbd", {}, "?"), " lists the keys.") : null);
  if (phase === "online") offer(element, app).catch(() => undefined);
}

/** Who has just paired is offered notifications here, where nothing moves by it. @param {HTMLElement} element @param {import("../app.js").App} app */
async function offer(element, app) {
  if (!(await canTurnOn(app)) || element.dataset.phase !== "online" || element.querySelector(".item")) return;
  const row = notifying(app);
  if (row) element.append(row);
}
