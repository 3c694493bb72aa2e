import { h } from "../dom.js";
import { plain } from "../text/characters.js";
import { shown } from "./text.js";

/**
 * Claude's questions as a form: one of several, some of several, or words of one's own.
 */
export class QuestionForm {
  /** @param {string} id of the card @param {any} input of AskUserQuestion @param {() => void} onchange */
  constructor(id, input, onchange) {
    this.questions = list(input?.questions).map((question, index) => new Question(`${id}-${index}`, question ?? {}, onchange));
    this.element = h("div.questions", {}, this.questions.map((/** @type {Question} */ question) => question.element));
  }

  /** Question to answer; null while one is open. @returns {Record<string, string> | null} */
  get answers() {
    const answers = this.questions.map((/** @type {Question} */ question) => [question.text, question.answer]);
    return answers.length && answers.every(([, answer]) => answer) ? Object.fromEntries(answers) : null;
  }
}

/** Claude's input is nobody's promise. @param {any} value @returns {any[]} */
const list = (value) => (Array.isArray(value) ? value : []);

class Question {
  /** @param {string} name @param {any} question @param {() => void} onchange */
  constructor(name, question, onchange) {
    this.text = String(question.question ?? "");
    this.isMany = question.multiSelect === true;
    /** @type {{ input: HTMLInputElement, label: string }[]} */
    this.choices = list(question.options).map((option) => ({
      label: String(option?.label ?? ""),
      description: String(option?.description ?? ""),
      input: h("input", { type: this.isMany ? "checkbox" : "radio", name }),
    }));
    this.own = h("input", { type: "text", class: "own", placeholder: "Something else…", "aria-label": `Own answer: ${plain(this.text)}`,
      autocomplete: "off", oninput: () => (this.ownGiven(), onchange()) });
    this.element = h("fieldset.question", { onchange },
      h("legend", {}, question.header ? h("span.tag", {}, shown(String(question.header))) : null, h("span", {}, shown(this.text))),
      this.choices.map((/** @type {any} */ choice) => h("label.choice", {}, choice.input,
        h("span", {}, h("strong", {}, shown(choice.label)), choice.description ? h("small", {}, shown(choice.description)) : null))),
      this.own);
    for (const { input } of this.choices) input.addEventListener("change", () => this.isMany || (this.own.value = ""));
  }

  /** Own words take the place of a single choice, and stand beside several. */
  ownGiven() {
    if (!this.isMany && this.own.value.trim()) for (const { input } of this.choices) input.checked = false;
  }

  /** As Claude Code expects it: several joined by commas. */
  get answer() {
    const chosen = this.choices.filter(({ input }) => input.checked).map(({ label }) => label);
    return [...chosen, this.own.value.trim()].filter(Boolean).join(", ");
  }
}
