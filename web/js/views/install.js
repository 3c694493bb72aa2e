import { h } from "../dom.js";

/** Browsers that can ask, ask through this. @type {any} */
let asking = null;
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  asking = event;
});

const isInstalled = () => matchMedia("(display-mode: standalone)").matches;

/** Safari gives what is on the home screen a storage of its own, so it is paired there. Other browsers share theirs. */
export const storesApart = () => /iPhone|iPad/.test(navigator.userAgent) && !isInstalled();

/**
 * The steps by which the page gets onto the home screen.
 * @param {import("../app.js").App} app
 */
export function installing(app) {
  if (isInstalled()) return null;
  const act = h("button.quiet", { type: "button", onclick: () => (asking ? asking.prompt() : app.say(MENU)) }, "Install");
  const item = (/** @type {string} */ line, /** @type {any} */ body) => h("details.item.install", {},
    h("summary", {}, h("span.main", {}, h("strong", {}, "Install on the home screen"), h("span.line", {}, line))), body);
  if (!globalThis.isSecureContext) return item("Needs HTTPS.", h("p.note", {}, "This address is plain HTTP: browsers install pages over HTTPS only."));
  if (!storesApart()) return item("It stays paired.", h("p.note", {}, MENU, " Nothing has to be paired again.", asking ? act : null));
  return item("It is paired there, and then no longer here.", h("ol.steps", {},
    h("li", {}, "On the computer, run ", h("code", {}, "cdev pair"), " and leave its code on the screen."),
    h("li", {}, SHARE),
    h("li", {}, "Open it from the home screen and type that code. It is good for two minutes."),
    h("li", {}, "Sign out here.")));
}

/** The steps for a person on an iPhone before a link is used up, so that only the home screen is paired. */
export const onHomeScreenFirst = () => h("ol.steps", {}, h("li", {}, SHARE), h("li", {}, "Open it from the home screen and type the code that stands below the QR code."));

const MENU = "Choose “Install” in the browser’s menu.";
const SHARE = "Tap Share, then “Add to Home Screen”.";
