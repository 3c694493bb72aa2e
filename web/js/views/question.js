import { h } from "../dom.js";
import { plain } from "../text/characters.js";
import { part } from "../tool.js";
import { shown } from "./text.js";

/**
 * Claude's questions as a form: one of several, some of several, or words of one's own.
 */
export class QuestionForm {
  /** @param {string} id of the card @param {any} data the card @param {() => void} onchange */
  constructor(id, data, onchange) {
    this.questions = list(part(data, "questions")).map((question, index) => new Question(`${id}-${index}`, data, question ?? {}, onchange));
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
  /** @param {string} name @param {any} data @param {any} question @param {() => void} onchange */
  constructor(name, data, question, onchange) {
    this.text = String(part(data, "question", question) ?? "");
    this.isMany = part(data, "multiple", question) === true;
    /** @type {{ input: HTMLInputElement, label: string }[]} */
    this.choices = list(part(data, "options", question)).map((option) => ({
      label: String(part(data, "label", option) ?? ""),
      description: String(part(data, "meaning", option) ?? ""),
      input: h("input", { type: this.isMany ? "checkbox" : "radio", name }),
    }));
    const header = part(data, "header", question);
    this.own = h("input", { type: "text", class: "own", placeholder: "Something else…", "aria-label": `Own answer: ${plain(this.text)}`,
      autocomplete: "off", oninput: () => (this.ownGiven(), onchange()) });
    this.element = h("fieldset.question", { onchange },
      h("legend", {}, header ? h("span.tag", {}, shown(String(header))) : null, h("span", {}, shown(this.text))),
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
