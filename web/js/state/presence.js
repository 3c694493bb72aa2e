/**
 * Tells the daemon that somebody is looking, so that it does not send a notification for what is on the screen.
 */

/** At most so often while there is input, in milliseconds. */
const EVERY = 30_000;

export class Presence {
  /** @param {import("../net/link.js").Link} link @param {import("./features.js").Features} features */
  constructor(link, features) {
    this.link = link;
    this.features = features;
    this.told = -EVERY;
    document.addEventListener("visibilitychange", () => this.tell());
    for (const kind of ["keydown", "pointerdown", "scroll"])
      addEventListener(kind, () => performance.now() - this.told > EVERY && this.tell(), { capture: true, passive: true });
    link.addEventListener("phase", () => this.tell());
  }

  tell() {
    if (this.link.phase !== "online" || !this.features.has("client/presence")) return;
    this.told = performance.now();
    this.link.call("client/presence", { visible: !document.hidden }).catch(() => undefined);
  }
}
