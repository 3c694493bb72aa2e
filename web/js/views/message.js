import { h, icon } from "../dom.js";
import { blocks } from "../state/transcript.js";
import { plain } from "../text/characters.js";
import { markdown } from "../text/markdown.js";
import { clock, size } from "../text/words.js";
import { picture } from "./picture.js";
import { prose } from "./plan.js";
import { code, shown } from "./text.js";
import { tree } from "./tree.js";

/** @typedef {import("../state/transcript.js").Message} Message */

/**
 * One message of a transcript; null if nothing is to be seen of it by itself, as of the results that stand in their calls.
 * @param {Message} message @param {number} place @param {import("./calls.js").Calls} calls @returns {HTMLElement | null}
 */
export function message(message, place, calls) {
  const inside = [...(aside(message) ?? parts(message, calls)), ...rest(message)];
  if (!inside.length) return null;
  const isSide = Boolean(message.is_sidechain || message.agent_id || message.parent_tool_use_id);
  const role = message.message?.role ?? message.type;
  const kind = message.is_meta || message.is_context_compaction ? "note" : role === "user" ? "user" : role === "assistant" ? "assistant" : "note";
  const who = kind === "user" && !isSide ? [h("p.who", {}, "You", message.timestamp ? h("time", { datetime: message.timestamp }, clock(message.timestamp)) : null)] : [];
  const element = h(`article.message.${kind}`, { "data-place": place, "data-uuid": message.uuid, "aria-label": isSide ? "Subagent" : kind === "user" ? "You" : kind === "assistant" ? "Claude" : null }, who, inside);
  element.classList.toggle("side", isSide);
  element.querySelector(":scope > .unfold")?.addEventListener("click", () => complete(element, place, calls));
  return element;
}

/** What is not there. @param {Message} message @returns {Node[]} */
function rest({ left_out_bytes, truncated }) {
  if (left_out_bytes) return [h("p.note", {}, `A message of ${size(left_out_bytes)} is too long to be shown.`)];
  return Object.keys(truncated ?? {}).length ? [h("button.quiet.unfold", { type: "button" }, "Too long to be shown at once: show all of it")] : [];
}

/** Puts the whole message in the place of the one that was cut. @param {HTMLElement} element @param {number} place @param {import("./calls.js").Calls} calls */
async function complete(element, place, calls) {
  const button = element.querySelector(":scope > .unfold");
  try {
    const whole = await calls.transcript.whole(place);
    const other = whole && message({ ...whole, truncated: undefined }, place, calls);
    if (other) element.replaceWith(other);
  } catch {
    if (button) button.textContent = "Not loaded: the connection went. Try again";
  }
}

/** What Claude Code wrote for Claude, folded. @param {Message} message @returns {Node[] | null} */
function aside(message) {
  if (message.is_context_compaction) return [folded("The conversation so far was summarised here", words(message))];
  if (message.is_meta) return note(words(message));
  const { type, role } = { type: message.type, role: message.message?.role };
  if (role || type === "user" || type === "assistant") return null;
  // A line of another kind: what it says, if it says something.
  const text = words(message) || (typeof /** @type {any} */ (message).content === "string" ? /** @type {any} */ (message).content : "");
  return text ? [folded(type, text)] : [];
}

const ENDING = /^<task-notification>[\s\S]*?<summary>([\s\S]*?)<\/summary>/;

/** What Claude Code told Claude as if it were a prompt. @param {string} text @returns {Node[]} */
function note(text) {
  const ending = ENDING.exec(text);
  if (ending) return [h("p.note", {}, `Background task ended: ${plain(ending[1])}`)];
  return text ? [folded("Note of Claude Code", text)] : [];
}

/** @param {Message} message */
const words = (message) => blocks(message).map(({ text }) => (typeof text === "string" ? text : "")).filter(Boolean).join("\n\n");

/** @param {string} title @param {string} text */
function folded(title, text) {
  const body = h("div.inside");
  const element = h("details.fold", { ontoggle: () => element.open && !body.childNodes.length && body.append(prose(markdown(text))) }, h("summary", {}, shown(title)), body);
  return element;
}

/** @param {Message} message @param {import("./calls.js").Calls} calls @returns {Node[]} */
function parts(message, calls) {
  return blocks(message).flatMap((block) => {
    switch (block.type) {
      case "text": return typeof block.text === "string" && block.text.trim() ? [message.message?.role === "user" ? typed(block.text) : prose(markdown(block.text))] : [];
      case "thinking": return typeof block.thinking === "string" && block.thinking.trim() ? [thought(block.thinking)] : [];
      case "redacted_thinking": return [h("p.note", {}, "A thought that is not shown.")];
      case "image": return [picture(block)];
      case "tool_use": return [calls.begin(block, message)];
      case "tool_result": return calls.end(block, message);
      default: return [tree(block)];
    }
  });
}

const COMMAND = /<command-name>([^<]*)<\/command-name>/;
const ARGUMENTS = /<command-args>([^<]*)<\/command-args>/;
const OUTPUT = /^<(?:local-command|bash)-(stdout|stderr)>([\s\S]*?)<\/(?:local-command|bash)-\1>/;

/** What a person typed: as it is, a slash command as it was typed. @param {string} text */
function typed(text) {
  const command = COMMAND.exec(text);
  if (command) return h("p.typed", {}, h("code", {}, shown(`${command[1]} ${ARGUMENTS.exec(text)?.[1] ?? ""}`.trim())));
  const output = OUTPUT.exec(text.trim());
  if (output) return output[2].trim() ? code(output[2]) : h("p.note", {}, "No output.");
  return h("div.typed", {}, code(text));
}

/** @param {string} text */
function thought(text) {
  const element = folded("Thought", text);
  element.firstElementChild?.prepend(icon("thought"));
  return element;
}
