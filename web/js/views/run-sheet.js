import { fill, h, icon, set } from "../dom.js";
import { refusal } from "../state/run.js";
import { plain } from "../text/characters.js";
import { MODES, modeWords, modelWords, settingsWords, spentWords } from "../text/runs.js";
import { ask } from "./ask.js";
import { shown } from "./text.js";

/** The mode and model of a session that the daemon runs, and behind them what is changed less often: these, its title, and the end. */
export class RunSheet {
  /** @param {import("../state/run.js").Run} run */
  constructor(run) {
    this.run = run;
    this.mode = this.opener("mode");
    this.model = this.opener("model");
    this.spent = h("p.spent");
    this.element = h("div.settings", { hidden: true }, this.mode, this.model);
  }

  /** @param {string} name */
  opener(name) {
    const button = h(`button.quiet.setting.${name}`, { type: "button", onclick: () => this.open(button) }, h("span.word"), icon("down"));
    return button;
  }

  /** @param {boolean} may */
  update(may) {
    const { told, isOpen, offered } = this.run;
    this.element.hidden = !told;
    this.mode.disabled = this.model.disabled = !may || !isOpen;
    label(this.mode, "Mode", modeWords(String(told?.permission_mode ?? "")));
    label(this.model, "Model", modelWords(told?.model, offered.models));
    this.model.hidden = !told?.model && !offered.models.length;
    fill(this.spent, [spentWords(told ?? {}), settingsWords(told ?? {}) && "project’s settings ignored"].filter(Boolean).join(" · "));
    this.renew?.();
  }

  /** Does something with the session, and says in the dialog why it was not done. @param {string} what @param {string} name @param {any} params */
  async act(what, name, params) {
    fill(this.problem);
    try {
      await this.run.act(name, params);
      return true;
    } catch (error) {
      fill(this.problem, plain(refusal(what, error)));
      return false;
    }
  }

  /** @param {HTMLElement} opener */
  open(opener) {
    this.problem = h("p.note", { role: "alert" });
    const parts = [this.modes(), this.models(), this.title(), this.settings()];
    this.renew = () => parts.forEach(({ renew }) => renew());
    this.renew();
    const end = h("button.careful", { type: "button", onclick: async () => {
      const yes = await ask({ title: "End this session?", text: "Its process ends, and what it does at this moment stops. What was said stays, and it can be continued later.", yes: "End it" });
      if (yes && (await this.act("Ending", "stop", {}))) dialog.close();
    } }, "End session…");
    const dialog = h("dialog.sheet", { "aria-labelledby": "run-title", onclose: () => {
      this.renew = undefined;
      dialog.remove();
      if (opener.isConnected) opener.focus({ preventScroll: true });
    } }, h("h2", { id: "run-title" }, "This session"), parts.map(({ element }) => element), this.problem, end,
    h("button.other", { type: "button", onclick: () => dialog.close() }, "Close"));
    document.body.append(dialog);
    dialog.showModal();
  }

  modes() {
    return this.choice("Mode", "permission_mode", () => MODES, () => this.run.told?.permission_mode);
  }

  models() {
    return this.choice("Model", "model", () => this.run.offered.models.map(({ value, name }) => [value, plain(name)]), () => this.run.told?.model ?? "default");
  }

  /**
   * Which one is in force, an event tells.
   * @param {string} name @param {string} member of `session/set` @param {() => [string, string][]} values with their words @param {() => string} current
   */
  choice(name, member, values, current) {
    const choices = h("div.choices"), heading = h("p.note"), element = h("div.setting-group", { role: "group", "aria-label": name }, heading, choices);
    let laid = "";
    const renew = () => {
      const found = values();
      element.hidden = !found.length;
      if (laid !== JSON.stringify(found)) fill(choices, found.map(([value, words]) => h("button.chip", { type: "button", value, onclick: () => this.act(`Changing the ${name.toLowerCase()}`, "set", { [member]: value }) }, words)));
      laid = JSON.stringify(found);
      // A model that was chosen elsewhere may be none of those that the agent offers.
      fill(heading, name, found.some(([value]) => value === current()) ? null : [": ", shown(current())]);
      for (const button of choices.children) set(button, "aria-pressed", button.value === current());
    };
    return { element, renew };
  }

  settings() {
    const element = h("p.note.project-settings");
    return { element, renew: () => {
      element.textContent = settingsWords(this.run.told ?? {});
      element.hidden = !element.textContent;
    } };
  }

  title() {
    const now = () => String(this.run.told?.title ?? "");
    const field = h("input", { type: "text", maxlength: 256, autocomplete: "off", placeholder: "Without a title" });
    const save = h("button.session", { type: "submit" }, "Rename");
    const element = h("form.rename", { onsubmit: async (/** @type {Event} */ event) => {
      event.preventDefault();
      const title = field.value.trim();
      if (title && title !== now()) await this.act("Renaming", "set", { title });
    } }, h("label.labelled", {}, "Title", field), save);
    let shownLast = "";
    // What somebody types at this moment is left alone.
    const renew = () => {
      if (field.value === shownLast) field.value = now();
      shownLast = now();
    };
    return { element, renew };
  }
}

/** @param {any} button @param {string} name @param {string} words */
function label(button, name, words) {
  button.querySelector(".word").replaceChildren(...shown(words));
  set(button, "aria-label", `${name}: ${plain(words)}`);
}
