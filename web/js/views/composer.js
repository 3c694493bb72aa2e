import { fill, h } from "../dom.js";
import { stepWords } from "../text/runs.js";
import { Commands } from "./commands.js";
import { Pictures, thumbnail } from "./pictures.js";
import { code } from "./text.js";

/** @typedef {import("../state/prompt.js").Prompt} Prompt */

/** The field for the next prompt of a session, and above it those that do not stand in the transcript yet. */
export class Composer {
  /** @param {import("../state/run.js").Run} run @param {import("../state/prompts.js").Prompts} prompts @param {(sentence: string) => void} say "" for nothing */
  constructor(run, prompts, say) {
    this.run = run;
    this.say = say;
    this.prompts = prompts;
    this.queue = h("div.queue", { role: "group", "aria-label": "Sent from here" });
    this.field = h("textarea", { rows: 1, placeholder: "What next?", "aria-label": "Prompt", oninput: () => this.typed(), onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event), onpaste: (/** @type {ClipboardEvent} */ event) => this.paste(event) });
    this.submit = h("button.allow", { type: "submit" }, "Send");
    this.commands = new Commands(this.field, () => this.run.offered.commands, () => this.typed());
    this.pictures = new Pictures(prompts, say, () => this.enable());
    this.element = h("form.composer", { hidden: true, "aria-label": "Prompt this session", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      this.send();
    } }, this.commands.count, this.pictures.element, this.pictures.file, h("div.typing", {}, this.pictures.button, this.commands.list, this.field, this.submit));
    this.isOnline = false;
  }

  typed() {
    this.prompts.type(this.field.value);
    // A session tells what it offers once its process has started, perhaps after this page asked.
    if (this.field.value === "/" && !this.run.offered.commands.length) this.run.learn();
    this.commands.update();
    this.grow();
    this.enable();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.commands.key(event)) return;
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    event.preventDefault();
    this.send();
  }

  /** Pictures of the clipboard; text goes the usual way. @param {ClipboardEvent} event */
  paste(event) {
    const files = [...(event.clipboardData?.files ?? [])].filter(({ type }) => type.startsWith("image/"));
    if (!files.length) return;
    event.preventDefault();
    this.pictures.take(files);
  }

  send() {
    if (this.submit.disabled) return;
    this.say("");
    this.prompts.send();
    // The button cannot be pressed again before there is a text; what has the focus then is not the page as a whole.
    this.field.focus({ preventScroll: true });
  }

  /** @param {boolean} isOffered @param {boolean} isOnline */
  update(isOffered, isOnline) {
    this.isOnline = isOnline;
    this.element.hidden = !isOffered;
    if (this.field.value !== this.prompts.draft) this.field.value = this.prompts.draft;
    this.commands.update();
    this.pictures.lay();
    this.grow();
    this.enable();
    this.lay(isOffered && isOnline && this.run.features.has("session/cancel_prompt"));
  }

  /** The rows, if they are others now. @param {boolean} mayCancel */
  lay(mayCancel) {
    const { list, leaving } = this.prompts;
    const isIdle = !["running", "waiting"].includes(this.run.told?.claude_state) && list.length < 2;
    const told = JSON.stringify([list.map(({ id, step }) => [id, step, leaving.has(id)]), isIdle, mayCancel]);
    if (told !== this.told) fill(this.queue, list.map((prompt) => this.row(prompt, isIdle, mayCancel)));
    this.told = told;
  }

  /** @param {Prompt} prompt @param {boolean} isIdle @param {boolean} mayCancel */
  row(prompt, isIdle, mayCancel) {
    const { id, step, text, pictures = [] } = prompt;
    const isOver = step === "back" || step === "lost";
    const waits = step === "queued" || (step === "sent" && !isIdle);
    return h("article.message.user.pending", { "aria-label": "You", "data-prompt": id }, h("p.who", {}, "You", h("span.step", {}, stepWords(step, isIdle))),
      pictures.length ? h("div.pictures", {}, pictures.map(thumbnail)) : null,
      text ? h("div.typed", {}, code(text)) : null,
      isOver ? line(act("Edit and send again", () => this.edit(prompt)), act("Forget it", () => this.drop(prompt))) : null,
      waits && mayCancel ? line(act("Take it back", () => this.cancel(prompt), this.prompts.leaving.has(id))) : null);
  }

  /** @param {Prompt} prompt */
  edit(prompt) {
    this.prompts.takeBack(prompt);
    this.field.focus();
  }

  /** @param {Prompt} prompt */
  drop(prompt) {
    this.prompts.drop(prompt);
    this.prompts.changed();
    this.field.focus({ preventScroll: true });
  }

  /** @param {Prompt} prompt */
  async cancel(prompt) {
    await this.prompts.cancel(prompt);
    // The row is made anew, and its button with the focus is gone.
    if (document.activeElement === document.body) this.field.focus({ preventScroll: true });
  }

  enable() {
    this.submit.disabled = !this.isOnline || !this.run.isOpen || this.prompts.isEmpty || this.pictures.isReading;
  }

  grow() {
    this.field.style.setProperty("height", "auto");
    this.field.style.setProperty("height", `${this.field.scrollHeight + 2}px`);
  }
}

/** @param {...Node} acts */
const line = (...acts) => h("div.acts-line", {}, acts);

/** @param {string} label @param {() => void} onclick @param {boolean} [disabled] */
const act = (label, onclick, disabled = false) => h("button.quiet", { type: "button", disabled, onclick }, label);
