import { h } from "../dom.js";
import { PAGE } from "../state/transcript.js";
import { plain } from "../text/characters.js";
import { counted } from "../text/words.js";
import { message } from "./message.js";
import { shown } from "./text.js";

/** The messages of a subagent, a page at a time. Once all of them are shown, those that come are shown too. */
export class Inner {
  /**
   * @param {import("../state/transcript.js").Transcript} transcript of the subagent alone
   * @param {import("../state/transcript.js").Subagent} subagent
   * @param {(transcript: import("../state/transcript.js").Transcript) => import("./calls.js").Calls} calls makes those of the subagent
   */
  constructor(transcript, { agent_type: type, message_count: messages = 0 }, calls) {
    this.transcript = transcript;
    this.transcript.total = messages;
    this.calls = calls(transcript);
    /** So many are shown. */
    this.at = 0;
    this.box = h("div.side", { role: "group", "aria-label": `Subagent ${plain(type ?? "")}`.trim() });
    this.more = h("button.quiet.unfold", { type: "button", onclick: () => this.show() });
    this.element = h("div.subagent", {}, type ? h("p.note", {}, "Subagent ", shown(type)) : null, this.box, this.more);
    this.label();
  }

  label() {
    const count = counted(this.transcript.total, "message");
    this.more.textContent = this.at ? `Show more of ${count}` : `Show what it did · ${count}`;
    this.more.hidden = this.at > 0 && this.at >= this.transcript.total;
  }

  async show() {
    if (this.more.disabled) return;
    this.more.disabled = true;
    const before = this.at;
    try {
      const page = await this.transcript.range(this.at, this.at + PAGE);
      this.box.append(...page.map((one, index) => message(one, this.at + index, this.calls)).filter((element) => element !== null));
      this.at += page.length;
      this.label();
      this.more.hidden ||= !page.length;
    } catch {
      this.more.textContent = "Not loaded: the connection went. Try again";
    }
    this.more.disabled = false;
    if (this.isFollowed && this.at > before && this.at < this.transcript.total) await this.show();
    this.isFollowed = false;
  }

  /** There are so many by now. @param {number} messages */
  grow(messages) {
    this.isFollowed ||= this.at > 0 && this.at >= this.transcript.total;
    this.transcript.total = Math.max(messages, this.transcript.total);
    this.label();
    if (this.isFollowed) this.show();
  }
}
