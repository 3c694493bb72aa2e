/**
 * Words about sessions that the daemon runs.
 */
import { money } from "./words.js";

/** By `claude_state`. @type {Record<string, string>} */
const STATES = {
  ended: "Ended", idle: "Idle", parked: "Parked: starts again with your next prompt", running: "Works",
  starting: "Starting", stopping: "Ending", waiting: "Waits for your answer",
};

/** The modes that the page offers, the usual one first. The one in which nothing is asked is left to who sits at the machine. @type {[string, string][]} */
export const MODES = [
  ["default", "Asks as usual"], ["acceptEdits", "Changes files unasked"], ["plan", "Only plans"],
  ["auto", "Decides by itself"], ["dontAsk", "Does only what is allowed"],
];

/** @param {string} mode @returns {string} also one that the page does not offer */
export const modeWords = (mode) => MODES.find(([name]) => name === mode)?.[1] ?? (mode === "bypassPermissions" ? "Does everything unasked" : mode);

/**
 * @param {string | null | undefined} model as a session tells it; none for the agent's choice
 * @param {import("../state/offered.js").Model[]} models that the agent offers @returns {string} its name without what stands in brackets, or of one that the agent does not offer its id, shortened
 */
export const modelWords = (model, models) => models.find(({ value }) => value === (model || "default"))?.name.replace(/ \(.*\)$/, "") ?? model?.replace(/^claude-|-\d{8}$/g, "") ?? "Default";

/** How full its context is, and what it cost, as far as they are known. @param {any} told */
export function spentWords({ total_cost_usd: cost, context_tokens: tokens, context_window: room }) {
  const share = typeof tokens === "number" && room > 0 && `${Math.round((tokens * 100) / room)} % of context`;
  return [share, typeof cost === "number" && money(cost)].filter(Boolean).join(" · ");
}

/** What a session does. @param {any} told as in `event/claude_status` */
export function stateWords({ claude_state: state, background_work, retry, reason, error }) {
  const words = Object.hasOwn(STATES, state) ? STATES[state] : String(state);
  if (state === "ended") return reason || error ? `${words}: ${reason ?? error}` : words;
  if (retry) return `${words}: the model did not answer, and is asked again (${retry.attempt} of ${retry.of})`;
  return background_work && state === "idle" ? `${words}, a task runs in the background` : words;
}

/** Why the project's own files do not count in it; "" where they do, or nobody knows. @param {any} told */
export const settingsWords = ({ project_settings: settings, status }) => (settings === "ignored" && status === "running"
  ? "The project’s own settings, hooks and servers do not count here: nobody trusted its directory. Trust it at the machine with “cdev workspaces trust”; it counts from the next start on."
  : "");

/** What becomes of a prompt that does not stand in the transcript yet. @type {Record<string, string>} */
const STEPS = {
  back: "Not run: it was taken back", lost: "Not confirmed: nobody knows whether it ran", queued: "Waits until the session has started", sending: "Being sent…",
  sent: "Waits behind what it does", started: "Taken up", unsure: "Not confirmed: sent again when the connection is back",
};

/** @param {string} step @param {boolean} isIdle nothing stands before it */
export const stepWords = (step, isIdle) => (step === "sent" && isIdle ? "Sent" : STEPS[step] ?? "");

/** The nearest state of a session that hooks told of. @param {any} told */
export const seenAs = ({ claude_state: state }) => (state === "waiting" ? "permission_pending" : state === "running" || state === "starting" ? "tool_running" : state === "ended" ? "ended" : "active");
