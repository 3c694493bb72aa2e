import { h, set } from "../dom.js";
import { countHidden } from "../text/characters.js";
import { counted } from "../text/words.js";
import { command, isForUser, named } from "../tool.js";
import { ConfirmWord } from "./confirm-word.js";
import { Drawer } from "./drawer.js";
import { Patterns } from "./patterns.js";
import { QuestionForm } from "./question.js";

/** @typedef {import("../state/model.js").Card} Card */
/** @typedef {{ isWhole: () => boolean, isSeen: () => boolean | undefined }} Shown whether nothing is folded or cut, and its end was on the screen; undefined before the browser has looked */

/** @param {string} kind @param {string} label @param {() => void} onclick @param {Record<string, any>} [more] */
const button = (kind, label, onclick, more = {}) => h(`button.${kind}`, { type: "button", onclick, ...more }, label);

/** What was typed and chosen belongs to the request: a card that is built anew gets it back. @type {WeakMap<Card, Actions>} */
const made = new WeakMap();

/**
 * The answers a card takes, and the rule which of them can be given now. `send` gets the parameters of
 * `permission/respond`.
 */
export class Actions {
  /**
   * Those of before, where the same input is asked about.
   * @param {Card} card @param {import("../state/features.js").Features} features
   * @param {(params: any) => void} send @param {Shown} what
   */
  static of(card, features, send, what) {
    let actions = made.get(card);
    if (actions?.data !== card.data) actions = new Actions(card, features, send, what);
    made.set(card, Object.assign(actions, { send, what }));
    return actions;
  }

  /**
   * @param {Card} card @param {import("../state/features.js").Features} features
   * @param {(params: any) => void} send @param {Shown} what
   */
  constructor(card, features, send, what) {
    this.data = card.data;
    this.send = send;
    this.what = what;
    this.kind = isForUser(card.data) ? card.data.kind : "call";
    const update = () => this.update();
    this.drawer = new Drawer(update);
    this.form = this.kind === "question" ? new QuestionForm(card.id, card.data, update) : null;
    const canChoose = features.has("permission/respond", "patterns");
    const { confirm, patterns = [], deny_patterns = [] } = card.data;
    this.patterns = new Patterns(this.kind === "call" && !confirm ? patterns : [], { title: "Then no longer asked for:", words: card.data.scope_words }, canChoose, update);
    this.barred = new Patterns(this.kind === "call" ? deny_patterns : [], { title: "Then denied without asking:", name: " (denied)" }, canChoose, update);
    this.word = new ConfirmWord(confirm?.prompt ?? "", update);
    this.deny = button("deny", "Deny", () => this.give("deny"));
    this.session = button("session", "Allow for session", () => this.give("session"));
    this.never = button("deny", "Deny for session", () => this.give("never"));
    this.bar = this.barred.element && h("div.lasting", {}, this.never, this.barred.element);
    this.once = button("allow", "Allow once", () => this.give("once"));
    this.hint = h("p.hint", { role: "status" });
    this.rare = h("div.rare", { hidden: true }, this.more());
    this.opener = button("quiet", "More", () => this.open(this.rare.hidden), { "aria-expanded": false });
    this.like = button("quiet", "", () => this.onlike(), { hidden: true });
    this.onlike = () => {};
    this.element = h("fieldset.acts", { "aria-label": "Answer" }, this.form?.element, this.drawer.element,
      this.word.element, this.hint, h("div.buttons", {}, this.deny, this.once),
      this.patterns.element ? h("div.lasting", {}, this.session, this.patterns.element) : null, h("div.further", {}, this.opener, this.like), this.rare);
    this.update();
  }

  /** What is asked for less often. */
  more() {
    const line = command(this.data);
    const canEdit = this.data.can_ask !== false && typeof line === "string";
    return [
      canEdit && button("other", "Edit the command", () => this.drawer.toggle("edit", "Runs instead, this once", line)),
      button("other", this.kind === "plan" ? "Say what to change" : "Deny with reason", () => this.drawer.toggle("word", "Claude reads this")),
      this.bar && this.unfolding(this.bar),
      this.data.can_ask !== false && button("other", "Answer in terminal", () => this.send({ decision: "ask" })),
    ];
  }

  /** @param {number} count of requests like this one, itself among them @param {() => void} onlike */
  likes(count, onlike) {
    this.onlike = onlike;
    this.like.hidden = count < 2;
    this.like.textContent = `Allow ${count} like this…`;
  }

  /** @param {boolean} isOpen */
  open(isOpen) {
    this.rare.hidden = !isOpen;
    set(this.opener, "aria-expanded", isOpen);
    this.opener.textContent = isOpen ? "Less" : "More";
  }

  /** @param {HTMLElement} bar below everything, so that nothing moves by it */
  unfolding(bar) {
    const opener = button("other", "Deny for session…", () => {
      if (bar.isConnected) bar.remove();
      else this.rare.after(bar);
      set(opener, "aria-expanded", bar.isConnected);
    }, { "aria-expanded": false });
    return opener;
  }

  /** What became of the last answer, in words; undefined if it says it itself. @param {import("../state/model.js").Answer | undefined} answer */
  hear(answer) {
    return this.word.hear(answer, command({ ...this.data, tool_input: /** @type {any} */ (answer)?.params?.updated_input }) ?? "");
  }

  get isEdited() {
    return this.drawer.mode === "edit" && this.drawer.text !== command(this.data);
  }

  get reason() {
    return this.drawer.mode === "word" ? this.drawer.text.trim() : "";
  }

  /** Why it cannot be allowed now; "" if it can. */
  get obstacle() {
    if (!this.what.isWhole()) return "Show all of it before you allow it.";
    if (!this.what.isSeen()) return "Scroll to its end before you allow it.";
    if (this.form && !this.form.answers) return "Answer each question first.";
    if (this.drawer.mode === "edit" && !this.drawer.text.trim()) return "An empty command cannot run.";
    if (this.word.isMissing) return "Type the word first.";
    return "";
  }

  /** @param {"deny" | "never" | "once" | "session"} verb also from a key; does nothing where the button could not be pressed */
  give(verb) {
    const control = { deny: this.deny, never: this.never, once: this.once, session: this.session }[verb];
    if (this.element.disabled || control.disabled || !control.isConnected) return;
    const lasting = verb === "never" ? { scope: "session", ...this.barred.params } : {};
    if (verb === "deny" || verb === "never") return this.send({ decision: "deny", ...lasting, ...(this.reason ? { message: this.reason } : {}) });
    if (verb === "session") return this.send({ decision: "allow", scope: "session", ...this.patterns.params });
    const answers = this.form ? { answers: this.form.answers } : {};
    const edited = this.isEdited ? { updated_input: { ...this.data.tool_input, [named(this.data, "command") ?? ""]: this.drawer.text } } : {};
    this.send({ decision: "allow", scope: "once", ...answers, ...edited, ...this.word.params });
  }

  update() {
    this.word.about(this.isEdited ? this.drawer.text : "");
    const { kind, isEdited, reason, obstacle } = this;
    this.once.disabled = obstacle !== "" || reason !== "";
    this.session.disabled = obstacle !== "" || isEdited || reason !== "" || this.patterns.kept.length === 0;
    this.never.disabled = this.barred.kept.length === 0;
    const isAhead = this.what.isWhole() && this.what.isSeen() === false;
    this.once.textContent = isAhead ? "Scroll to end" : isEdited ? "Allow changed, once" : { call: "Allow once", plan: "Approve plan", question: "Send answers" }[kind] ?? "";
    this.deny.textContent = kind === "plan" ? "Keep planning" : reason ? "Deny with this" : "Deny";
    set(this.deny, "aria-keyshortcuts", "d");
    set(this.once, "aria-keyshortcuts", "a");
    set(this.session, "aria-keyshortcuts", "s");
    this.element.classList.toggle("edited", isEdited);
    // The button itself says that the end was not seen: a line that goes while it is scrolled would move the card.
    const canSend = !isAhead && this.what.isSeen() && (this.form || this.word.wanted) || !this.what.isWhole();
    this.hint.textContent = isEdited ? `Changed: Claude’s own command will not run.${unseen(this.drawer.text)}` : canSend ? obstacle : "";
  }

  /** @param {boolean} isOff */
  disable(isOff) {
    this.element.disabled = isOff;
    this.update();
  }
}

/** A field cannot mark them as a card does. @param {string} text */
function unseen(text) {
  const count = countHidden(text);
  return count ? ` ${counted(count, "character")} in it cannot be seen.` : "";
}
