import { fill, h } from "../dom.js";
import { plain } from "../text/characters.js";
import { shown } from "./text.js";

/** The word a person types so that a slip allows nothing. The card names it, or the daemon once a command was changed. */
export class ConfirmWord {
  /** @param {string} prompt of the card; "" where none is wanted @param {() => void} onchange */
  constructor(prompt, onchange) {
    this.prompt = prompt;
    /** What the daemon asked for, by changed command; "" is the call as it is. @type {Map<string, string>} */
    this.demands = new Map();
    this.command = "";
    this.field = h("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", oninput: onchange });
    this.label = h("span", {});
    this.element = h("label.confirm", {}, this.label, this.field);
    this.about("");
  }

  get wanted() {
    return this.demands.get(this.command) ?? this.prompt;
  }

  get typed() {
    return this.field.value.trim();
  }

  get isMissing() {
    return this.wanted !== "" && this.typed === "";
  }

  /** To be sent. */
  get params() {
    return this.wanted ? { confirm: this.typed } : {};
  }

  /** Which call would be allowed now. @param {string} command a changed one, or "" */
  about(command) {
    this.command = command;
    this.element.hidden = this.wanted === "";
    fill(this.label, "Type ", h("code.value", {}, shown(this.wanted)), " to allow this");
  }

  /** Learns the word from a refusal. @param {any} answer @param {string} changed the command it was about, or "" @returns {string | undefined} the refusal in a person's words */
  hear(answer, changed) {
    const word = answer?.state === "refused" ? answer.word : undefined;
    if (word === undefined) return undefined;
    this.demands.set(changed, word);
    return answer.params?.confirm ? `“${plain(answer.params.confirm)}” is not the word.` : "This has to be confirmed: type the word.";
  }
}
