import { decided } from "../text/words.js";

/** Milliseconds for which the outcome of one's own answer stands. */
const STANDS = 3000;

/** Says what became of one's own answer in the bar at the top, where it moves and covers nothing. */
export class Feedback {
  /** @param {() => void} onchange */
  constructor(onchange) {
    this.onchange = onchange;
    this.text = "";
    this.decision = "";
  }

  /** @param {any} ending of a card @param {string} what it was about */
  tell({ decision, scope, late }, what) {
    this.decision = decision ?? "";
    this.text = `${late ? "Too late: " : ""}${decided(decision)}${scope === "session" ? " for the session" : ""}: ${what}`;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.text = "";
      this.onchange();
    }, STANDS);
    this.onchange();
  }
}
