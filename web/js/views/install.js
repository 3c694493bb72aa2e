import { h } from "../dom.js";

/** Browsers that can ask, ask through this. @type {any} */
let asking = null;
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  asking = event;
});

/**
 * How the page gets onto the home screen. What is installed there has a storage of its own and pairs by itself, so a
 * fresh code has to be at hand first.
 * @param {import("../app.js").App} app
 */
export function installing(app) {
  if (matchMedia("(display-mode: standalone)").matches) return null;
  const how = /iPhone|iPad/.test(navigator.userAgent) ? "Tap Share, then “Add to Home Screen”." : "Choose “Install” in the browser’s menu.";
  const act = h("button.quiet", { type: "button", onclick: () => (asking ? asking.prompt() : app.say(how)) }, "Install");
  return h("details.item.install", {}, h("summary", {}, h("span.main", {}, h("strong", {}, "Install on the home screen"), h("span.line", {}, "It then pairs as a device of its own."))),
    h("ol.steps", {},
      h("li", {}, "On the computer, run ", h("code", {}, "cdev pair"), " and leave its code on the screen."),
      h("li", {}, isSecurePage() ? how : "This address is plain HTTP: browsers install pages over HTTPS only.", " ", isSecurePage() && asking ? act : null),
      h("li", {}, "Open it from the home screen and type that code. It is good for two minutes.")));
}

const isSecurePage = () => globalThis.isSecureContext;
