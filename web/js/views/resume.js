import { h } from "../dom.js";
import { RpcError } from "../net/rpc.js";
import { refusal } from "../state/run.js";
import { to } from "../text/address.js";
import { plain } from "../text/characters.js";
import { ask } from "./ask.js";
import { resume } from "./fresh.js";

/**
 * Goes on in a conversation in which the daemon runs nothing, or in a copy of it if a person wants one.
 * @param {import("../app.js").App} app @param {string} workspace @param {string} conversation @param {(sentence: string) => void} say "" for nothing
 * @param {boolean} [isCopy] @returns {Promise<string>} the conversation in which it goes on; "" if it does not
 */
export async function goOn(app, workspace, conversation, say, isCopy = false) {
  say("");
  try {
    return (await resume(app, workspace, conversation, isCopy)).claude_session_id;
  } catch (error) {
    // Somebody else was faster: it can be prompted.
    if (error instanceof RpcError && error.data?.session_id) return conversation;
    // A terminal, or another program, has the conversation open.
    const isOpen = error instanceof RpcError && error.data?.other_writer;
    if (!isOpen) say(refusal("Continuing", error));
    return isOpen && (await wantsCopy()) ? goOn(app, workspace, conversation, say, true) : "";
  }
}

const wantsCopy = () => ask({ title: "Go on in a copy?", text: "Another process works in this conversation, perhaps in a terminal, and two would lose what one of them wrote. A copy begins with the same messages and leaves this one as it is.", yes: "Go on in a copy", no: "Leave it", isHarmless: true });

/** Where a session of a list is gone on with, without being opened first. @param {import("../app.js").App} app @param {string} workspace @param {string} conversation @param {string} title */
export function continuing(app, workspace, conversation, title) {
  const problem = h("p.note", { role: "alert" });
  const button = h("button.resume", { type: "button", "data-key": `continue ${conversation}`, "aria-label": `Continue ${title}`, onclick: async () => {
    button.disabled = true;
    const now = await goOn(app, workspace, conversation, (sentence) => (problem.textContent = plain(sentence)));
    button.disabled = false;
    // What was disabled has lost the focus.
    if (document.activeElement === document.body) button.focus({ preventScroll: true });
    if (now) location.hash = to("transcript", workspace, now);
  } }, "Continue");
  return [button, problem];
}

/** The button that goes on in a conversation in which the daemon runs nothing. */
export class Resume {
  /** @param {import("./transcript.js").TranscriptView} view that is open for it @param {string} conversation @param {(sentence: string) => void} say */
  constructor(view, conversation, say) {
    this.view = view;
    this.conversation = conversation;
    this.say = say;
    this.element = h("button.session", { type: "button", hidden: true, onclick: () => this.go() }, "Continue");
  }

  /** @param {boolean} isOffered */
  update(isOffered) {
    this.element.hidden = !isOffered || !this.view.about?.workspace;
  }

  async go() {
    const { view, conversation } = this, workspace = view.about?.workspace ?? "";
    this.element.disabled = true;
    const now = await goOn(view.app, workspace, conversation, this.say);
    if (now && now !== conversation) location.hash = to("transcript", workspace, now);
    else if (now) await view.appear();
    this.element.disabled = false;
    if (document.activeElement === document.body) this.element.focus({ preventScroll: true });
  }
}
