/**
 * The page behind an answer link. It shows what the link answers and gives that answer when its button is pressed: whoever
 * only looks at the link, a preview or a scanner, answers nothing. It allows only a call that it has shown whole.
 */

import { fill, h } from "./dom.js";
import { plain } from "./text/characters.js";
import { counted, left } from "./text/words.js";
import { content } from "./views/content.js";
import { ANSWERS, Sight } from "./views/sight.js";
import { shown } from "./views/text.js";

const heading = /** @type {HTMLElement} */ (document.getElementById("heading"));
const state = /** @type {HTMLElement} */ (document.getElementById("state"));
const button = /** @type {HTMLButtonElement} */ (document.getElementById("send"));
const call = /** @type {HTMLElement} */ (document.getElementById("call"));
const time = /** @type {HTMLElement} */ (document.getElementById("clock"));
const secret = location.hash.slice(1);

// Neither the history nor a look over the shoulder keeps it.
history.replaceState(null, "", location.pathname);

/** @param {object} body @returns {Promise<[boolean, any]>} */
async function post(body) {
  try {
    const response = await fetch("/a", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), cache: "no-store",
      credentials: "omit",
    });
    return [response.ok, await response.json()];
  } catch {
    return [false, { error: "the daemon did not answer; is this device connected?", again: true }];
  }
}

/** What the button does: until the daemon has said what the link answers, it only asks that again. */
let press = look;

/** @param {any} answer */
function fail(answer) {
  state.textContent = `Not answered: ${plain(answer.error)}.`;
  button.hidden = !answer.again;
  button.disabled = false;
  if (press === look) return void (button.textContent = "Try again");
  time.hidden = call.hidden = !answer.again;
}

/** The time for which the answer counts. @param {any} link */
function count({ deadline, server_time }) {
  const offset = server_time ? Date.parse(server_time) - Date.now() : 0;
  const tick = () => {
    const rest = Date.parse(deadline) - Date.now() - offset;
    time.textContent = rest > 0 ? `${left(rest)} left` : "The time is up.";
  };
  time.hidden = false;
  tick();
  setInterval(tick, 1000);
}

/**
 * Shows the call; the button works once all of it was on the screen.
 * @param {any} card as `permission/pending` has it
 */
function show(card) {
  const mark = h("div.mark");
  const body = h("div.body", {}, content(card));
  const sight = new Sight(mark, () => update(), ANSWERS);
  const isWhole = () => !body.querySelector("[data-folded] > .unfold");
  const update = () => {
    button.disabled = !isWhole() || !sight.isSeen;
    button.textContent = sight.isSeen === false && isWhole() ? "Scroll to end" : "Allow once";
  };
  for (const more of body.querySelectorAll("[data-folded] > .unfold")) more.addEventListener("click", () => (sight.again(), update()));
  fill(call, h("h2", {}, shown(String(card.title ?? card.tool_name))), warnings(card), body, h("p.where", {}, "in ", h("code", {}, shown(card.cwd ?? ""))), mark);
  call.hidden = false;
  update();
}

/** @param {any} card */
function warnings({ outside, rules_note, hidden_characters = [] }) {
  const hidden = hidden_characters.reduce((/** @type {number} */ sum, /** @type {any} */ entry) => sum + (entry.more ?? 1), 0);
  const found = [
    outside && "This changes a file outside the project.",
    outside === null && "cdev could not tell if this changes a file outside the project.",
    hidden && `${counted(hidden, "character")} cannot be seen; here they are marked.`,
    rules_note && shown(rules_note),
  ].filter(Boolean);
  return found.length ? h("ul.flags", {}, found.map((flag) => h("li", {}, flag))) : null;
}

/** @param {any} card whether nothing of it is missing */
const isComplete = (card) => !!card && !Object.keys(card.truncated ?? {}).length;

async function look() {
  if (!secret) return fail({ error: "this address lacks the part behind #" });
  const [isFound, link] = await post({ secret, look: true });
  if (!isFound) return fail(link);
  const verb = link.decision === "allow" ? "Allow" : "Deny";
  heading.textContent = `${verb} ${plain(link.tool_name)}?`;
  count(link);
  const isAllow = link.decision === "allow";
  button.hidden = true;
  if (isAllow && !isComplete(link.card)) {
    state.textContent = "What would run cannot be shown here, so it cannot be allowed here. The page with all requests shows it.";
    return;
  }
  state.textContent = link.project ? `In ${plain(link.project)}.${isAllow ? "" : " The page with all requests shows what would run."}` : "";
  press = send;
  button.textContent = `${verb} once`;
  button.className = isAllow ? "allow" : "deny";
  button.hidden = button.disabled = false;
  if (isAllow) show(link.card);
}

async function send() {
  state.textContent = "Sending…";
  const [isTaken, answer] = await post({ secret });
  if (!isTaken) return fail(answer);
  button.hidden = time.hidden = true;
  heading.textContent = answer.decision === "allow" ? "Allowed" : "Denied";
  state.textContent = answer.sent
    ? "Sent; Claude has not taken it yet. The page with all requests shows what becomes of it."
    : "The daemon has told Claude.";
}

button.addEventListener("click", () => {
  button.disabled = true;
  press();
});

look();
