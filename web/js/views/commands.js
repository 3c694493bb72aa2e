import { fill, h, set } from "../dom.js";
import { counted } from "../text/words.js";
import { shown } from "./text.js";

/** @typedef {import("../state/offered.js").Command} Command */

/** The agent's slash commands, offered while one is typed at the beginning of a prompt. The focus stays in the field. */
export class Commands {
  /** @param {any} field @param {() => Command[]} offered @param {() => void} onchoose the field has another text */
  constructor(field, offered, onchoose) {
    this.field = field;
    this.offered = offered;
    this.onchoose = onchoose;
    // What scrolls can be reached by Tab. By the mouse it takes no focus, or a phone's keyboard would go.
    this.list = h("div.commands", { id: "commands", role: "listbox", tabindex: "0", "aria-label": "Commands", hidden: true, onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event), onmousedown: (/** @type {Event} */ event) => event.preventDefault() });
    this.count = h("p.unseen", { role: "status" });
    /** @type {Command[]} */
    this.found = [];
    this.active = 0;
    for (const [name, value] of [["aria-autocomplete", "list"], ["aria-haspopup", "listbox"], ["aria-controls", "commands"]]) set(field, name, value);
    for (const one of [field, this.list]) one.addEventListener("blur", (/** @type {FocusEvent} */ event) => [field, this.list].includes(event.relatedTarget) || this.show([]));
    field.addEventListener("click", () => this.update());
  }

  /** The field's text is another, or what is offered. */
  update() {
    const head = [this.field, this.list].includes(document.activeElement) ? this.head() : null;
    if (head === null) this.isClosed = false;
    const found = head === null || this.isClosed ? [] : matching(this.offered(), head);
    if (found.length !== this.found.length || found.some((command, index) => command !== this.found[index])) this.show(found);
  }

  /** What is before the caret, where that is the beginning of a command and nothing else. @returns {string | null} */
  head() {
    const before = this.field.value.slice(0, this.field.selectionStart);
    return /^\/\S*$/.test(before) ? before.slice(1).toLowerCase() : null;
  }

  /** @param {Command[]} found */
  show(found) {
    this.found = found;
    this.list.hidden = !found.length;
    this.count.textContent = found.length ? counted(found.length, "command") : "";
    fill(this.list, found.map((command, index) => option(command, index, () => this.choose(index))));
    this.mark(0);
  }

  /** @param {number} index */
  mark(index) {
    this.active = this.found.length ? (index + this.found.length) % this.found.length : 0;
    this.list.childNodes.forEach((/** @type {any} */ node, /** @type {number} */ at) => set(node, "aria-selected", at === this.active));
    for (const one of [this.field, this.list]) set(one, "aria-activedescendant", this.found.length ? `command-${this.active}` : null);
    this.list.childNodes[this.active]?.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event @returns {boolean} whether it was meant for the list */
  key(event) {
    if (!this.found.length || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
    if (event.key === "ArrowDown") this.mark(this.active + 1);
    else if (event.key === "ArrowUp") this.mark(this.active - 1);
    else if (event.key === "Enter" || event.key === "Tab") this.choose(this.active);
    else if (event.key === "Escape") this.close();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  /** Until something else stands at the beginning. */
  close() {
    this.isClosed = true;
    this.leave();
  }

  /** Puts it in the place of what was typed of it. @param {number} index */
  choose(index) {
    const { field } = this;
    const text = `/${this.found[index].name} `, rest = field.value.slice(field.selectionStart).trimStart();
    field.value = text + rest;
    field.setSelectionRange(text.length, text.length);
    this.leave();
    this.onchoose();
  }

  /** Back to the field. */
  leave() {
    this.field.focus({ preventScroll: true });
    this.show([]);
  }
}

/** Those whose name begins with it, then those that have it within. @param {Command[]} commands @param {string} head */
function matching(commands, head) {
  const at = (/** @type {Command} */ { name }) => name.toLowerCase().indexOf(head);
  return commands.filter((command) => at(command) >= 0).toSorted((a, b) => Number(at(a) > 0) - Number(at(b) > 0));
}

/** @param {Command} command @param {number} index @param {() => void} onclick */
function option({ name, description, argument_hint: argument }, index, onclick) {
  return h("div.command", { role: "option", id: `command-${index}`, onclick },
    h("span.how", {}, h("strong", {}, "/", shown(name)), argument ? [" ", h("span.argument", {}, shown(argument))] : null),
    description ? h("span.about", {}, shown(description)) : null);
}
