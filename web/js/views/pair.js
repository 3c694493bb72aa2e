import { fill, h, icon } from "../dom.js";
import { PairingError, pairWith } from "../net/pairing.js";
import { StorageError } from "../net/vault.js";
import { plain } from "../text/characters.js";

/** The way in: a code, a link or a token. */
export class PairView {
  /** @param {() => void} onpaired */
  constructor(onpaired) {
    this.onpaired = onpaired;
    this.field = h("input", { type: "text", name: "code", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", placeholder: "ABCD-1234", "aria-describedby": "pair-help" });
    this.submit = h("button.allow", { type: "submit" }, "Pair");
    this.state = h("p.state", { role: "status" });
    this.why = h("p.why", {});
    this.element = h("main.pair", {}, icon("rules"), h("h1", {}, "Pair this device"), this.why,
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

  /** @param {string} text */
  async pair(text) {
    if (!text.trim()) return;
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
    fill(this.state, "Now confirm it on the computer: ", h("code", {}, `cdev pair approve ${plain(id)}`));
  }

  /** @param {boolean} isBusy @param {string} text */
  busy(isBusy, text) {
    this.submit.disabled = this.field.disabled = isBusy;
    this.state.textContent = plain(text);
  }
}
