import { fill, h, icon } from "../dom.js";
import { PairingError, pairWith } from "../net/pairing.js";
import { StorageError } from "../net/vault.js";
import { plain } from "../text/characters.js";
import { onHomeScreenFirst, storesApart } from "./install.js";

/** The way in: a code, a link or a token. */
export class PairView {
  /** @param {() => void} onpaired */
  constructor(onpaired) {
    this.onpaired = onpaired;
    this.field = h("input", { type: "text", name: "code", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", placeholder: "ABCD-1234", "aria-describedby": "pair-help" });
    this.submit = h("button.allow", { type: "submit" }, "Pair");
    this.state = h("p.state", { role: "status" });
    this.why = h("p.why", {});
    this.offer = h("div.offer", { hidden: true });
    this.element = h("main.pair", {}, icon("rules"), h("h1", {}, "Pair this device"), this.why, this.offer,
      h("p", {}, "On the computer where Claude Code runs:"), h("pre.code", {}, "cdev pair"),
      h("p", {}, "Scan its QR code with the camera, or type the code it shows."),
      h("form", { onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), this.pair(this.field.value)) },
        h("label", {}, h("span", {}, "Code, link or token"), this.field), this.submit),
      h("p.help", { id: "pair-help" }, "A link or a token from “cdev token create” can be pasted here too."), this.state);
  }

  /** @param {string} reason why it is shown */
  explain(reason) {
    this.why.textContent = plain(reason);
  }

  /** Pairs by a link that was opened. Where the home screen would have to be paired again, the person chooses first. @param {string} token */
  async open(token) {
    if (!storesApart()) return this.pair(token);
    this.offer.hidden = false;
    fill(this.offer, h("p", {}, "For the home screen, pair there, once:"), onHomeScreenFirst(),
      h("button.session", { type: "button", onclick: () => this.pair(token) }, "Pair Safari instead"));
  }

  /** @param {string} text */
  async pair(text) {
    if (!text.trim()) return;
    this.offer.hidden = true;
    this.busy(true, "Pairing…");
    try {
      await pairWith(text, ({ request_id }) => this.waiting(request_id));
      this.field.value = "";
      this.busy(false, "");
      this.onpaired();
    } catch (error) {
      const isSaid = error instanceof PairingError || error instanceof StorageError;
      this.busy(false, isSaid ? error.message : "The daemon did not answer. Is this device still connected to its network?");
    }
  }

  /** The host has to say yes. @param {string} id */
  waiting(id) {
    fill(this.state, "The code is right. Now say yes at the computer: answer “y” where ", h("code", {}, "cdev pair"), " waits, or run ",
      h("code", {}, `cdev pair approve ${plain(id)}`), " in another terminal. This page goes on by itself.");
  }

  /** @param {boolean} isBusy @param {string} text */
  busy(isBusy, text) {
    this.submit.disabled = this.field.disabled = isBusy;
    this.state.textContent = plain(text);
  }
}
