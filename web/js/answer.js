/**
 * The page behind an answer link. It shows what the link answers and gives that answer when its button is pressed: whoever
 * only looks at the link, a preview or a scanner, answers nothing.
 */

import { plain } from "./text/characters.js";

const heading = /** @type {HTMLElement} */ (document.getElementById("heading"));
const state = /** @type {HTMLElement} */ (document.getElementById("state"));
const button = /** @type {HTMLButtonElement} */ (document.getElementById("send"));
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

/** @param {any} answer */
function fail(answer) {
  state.textContent = `Not answered: ${plain(answer.error)}.`;
  button.hidden = !answer.again;
  button.disabled = false;
}

async function look() {
  if (!secret) return fail({ error: "this address lacks the part behind #" });
  const [isFound, link] = await post({ secret, look: true });
  if (!isFound) return fail(link);
  const verb = link.decision === "allow" ? "Allow" : "Deny";
  heading.textContent = `${verb} ${plain(link.tool_name)}?`;
  state.textContent = link.project ? `In ${plain(link.project)}. The page with all requests shows what would run.` : "";
  button.textContent = `${verb} once`;
  button.className = link.decision === "allow" ? "allow" : "deny";
  button.hidden = false;
}

button.addEventListener("click", async () => {
  button.disabled = true;
  state.textContent = "Sending…";
  const [isTaken, answer] = await post({ secret });
  if (!isTaken) return fail(answer);
  button.hidden = true;
  heading.textContent = answer.decision === "allow" ? "Allowed" : "Denied";
  state.textContent = answer.sent
    ? "Sent; Claude has not taken it yet. The page with all requests shows what becomes of it."
    : "The daemon has told Claude.";
});

look();
