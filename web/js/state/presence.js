/**
 * Tells the daemon that somebody is looking, so that it does not send a notification for what is on the screen.
 */

/** At most so often while there is input, in milliseconds. */
const EVERY = 30_000;
/** The longest time without input that the daemon takes, in seconds. */
const LONGEST = 86_400;

export class Presence {
  /** @param {import("../net/link.js").Link} link @param {import("./features.js").Features} features */
  constructor(link, features) {
    this.link = link;
    this.features = features;
    this.told = -Infinity;
    /** When a person last did something; opening the page was that, connecting again is not. */
    this.touched = Date.now();
    document.addEventListener("visibilitychange", () => (document.hidden ? this.tell() : this.touch()));
    // Not "scroll": cards that come and go scroll too.
    for (const kind of ["keydown", "pointerdown", "wheel"])
      addEventListener(kind, () => this.input(), { capture: true, passive: true });
    link.addEventListener("phase", () => this.tell());
  }

  input() {
    this.touched = Date.now();
    if (this.touched - this.told > EVERY) this.tell();
  }

  /** The page was brought into view. */
  touch() {
    this.touched = Date.now();
    this.tell();
  }

  /** Seconds since there was input. */
  get idle() {
    return Math.min(LONGEST, Math.max(0, Math.floor((Date.now() - this.touched) / 1000)));
  }

  tell() {
    if (this.link.phase !== "online" || !this.features.has("client/presence")) return;
    this.told = Date.now();
    this.link.call("client/presence", { visible: !document.hidden, input_seconds: this.idle }).catch(() => undefined);
  }
}
