import { fill, h, icon, set } from "../dom.js";
import { base, lasted } from "../text/words.js";
import { markdown } from "../text/markdown.js";
import { called, named, part } from "../tool.js";
import { content } from "./content.js";
import { diff, isWhole } from "./diff.js";
import { picture } from "./picture.js";
import { code, shown } from "./text.js";
import { tree } from "./tree.js";

const ICONS = { agent: "sessions", fetch: "globe", file_changes: "edit", plan: "plan", question: "question", read: "file", search: "search", shell_command: "terminal" };

/** What is done, in a word or two. */
const WORDS = { agent: "Subagent", fetch: "Fetch", file_changes: "Edit", plan: "Plan", question: "Question to you", read: "Read", search: "Search", shell_command: "Command" };

/** @param {any} data @returns {string} */
function word(data) {
  if (data.kind === "file_changes" && named(data, "content") && !named(data, "cell")) return "Write";
  if (data.kind === "fetch" && named(data, "query")) return "Web search";
  return WORDS[/** @type {keyof WORDS} */ (data.kind)] ?? String(data.title ?? data.tool_name).replace("/", " / ");
}

/** One tool call of a transcript: a line that says what and how it ended, and unfolded its input, change and result. */
export class CallView {
  /** @param {any} block `tool_use` @param {string | undefined} at when it was made @param {() => Node | null} inside what it started */
  constructor(block, at, inside) {
    this.inside = inside;
    this.id = String(block.id ?? "");
    this.at = at;
    this.data = called(block);
    this.result = null;
    this.outcome = h("span.outcome");
    this.body = h("div.inside");
    this.element = h("details.call", { "data-call": this.id, ontoggle: () => this.element.open && this.lay() },
      h("summary", {}, icon(/** @type {any} */ (ICONS[/** @type {keyof ICONS} */ (this.data.kind)] ?? "tool")),
        h("span.main", {}, h("strong", {}, shown(word(this.data))), " ", h("code", {}, shown(this.target))), this.outcome),
      this.body);
  }

  /** What it is about, in a line. */
  get target() {
    const { data } = this;
    const file = part(data, "file");
    const path = typeof file === "string" ? base(file) : undefined;
    const roles = ["command", "pattern", "url", "query", "note", "path"];
    const found = path ?? roles.map((role) => part(data, role)).find((value) => typeof value === "string" && value) ?? Object.values(data.tool_input).find((value) => typeof value === "string") ?? "";
    return String(found).split("\n")[0].slice(0, 200);
  }

  /** @param {any} block `tool_result` @param {import("../state/transcript.js").Message} message it came with */
  finish(block, message) {
    this.result = { block, message };
    const isError = block.is_error === true;
    this.element.classList.toggle("failed", isError);
    const time = lasted(this.at ?? null, message.timestamp ?? null);
    fill(this.outcome, isError ? "failed" : icon("check"), time && ` ${time}`);
    if (!isError) this.outcome.prepend(h("span.unseen", {}, "done"));
    if (this.element.open) this.lay();
  }

  /** @param {string} text the state of a call without a result; "" for none */
  waits(text) {
    if (this.result) return;
    this.outcome.textContent = text;
    set(this.element, "data-waits", text || null);
  }

  /** Most are never looked into, so their inside is made when it is. */
  lay() {
    fill(this.body, this.change() ?? this.input(), this.inside(), this.answer());
  }

  /** What the tool changed, where that is known. */
  change() {
    const difference = this.result?.block.difference;
    return isWhole(difference) ? diff(difference) : null;
  }

  input() {
    const { data } = this;
    if (data.kind === "question") return tree(data.tool_input);
    const plan = data.kind === "plan" ? part(data, "plan") : undefined;
    return content(data, typeof plan === "string" ? { kind: "plan", document: markdown(plan) } : undefined);
  }

  answer() {
    if (!this.result) return null;
    const inner = this.result.block.content;
    const parts = typeof inner === "string" ? [{ type: "text", text: inner }] : Array.isArray(inner) ? inner : [];
    const shownParts = parts.map((/** @type {any} */ one) => (one?.type === "text" ? (one.text ? code(one.text) : null) : one?.type === "image" ? picture(one) : tree(one))).filter(Boolean);
    return h("div.result", {}, h("p.note", {}, this.result.block.is_error ? "It failed:" : shownParts.length ? "Result:" : "No output."), shownParts);
  }
}
