import { App } from "./app.js";
import { fill } from "./dom.js";
import { tokenFromAddress } from "./net/pairing.js";
import { forgetTokens, kept } from "./net/tokens.js";
import { StorageSilent } from "./net/vault.js";
import { silence } from "./views/notifications.js";
import { PairView } from "./views/pair.js";
import { register } from "./worker-registration.js";

// Before anything else, so that the address bar holds it for as short as can be.
const pairing = tokenFromAddress();
// In a tab that is open already a link is no new page. The frame must not take it for a view.
addEventListener("hashchange", (event) => {
  const token = tokenFromAddress();
  if (!token) return;
  event.stopImmediatePropagation();
  begin(token);
});
const page = /** @type {HTMLElement} */ (document.getElementById("page"));
const app = new App();
// For tests, and for whoever looks at the page with the browser's tools; it gives nothing that the page has not.
Object.assign(globalThis, { cdev: app });
const pair = new PairView(enter);

function enter() {
  app.link.reason = "";
  app.link.phase = "connecting";
  fill(page, app.frame.element);
  app.phase();
  app.frame.route();
  app.link.connect();
}

/** True if this browser is paired. Says if its storage does not answer, and asks again. */
async function isPaired() {
  for (;;) {
    try {
      return Boolean(await kept());
    } catch (error) {
      // The attempt to pair says why storage is refused.
      if (!(error instanceof StorageSilent)) return false;
      pair.busy(true, `${error.message} It is asked again; if that does not help, close the browser and open it again.`);
      fill(page, pair.element);
    }
  }
}

/** Pairs by a link. @param {string} token */
function begin(token) {
  pair.explain("");
  fill(page, pair.element);
  pair.open(token);
}

/** What was refused for good is of no use any more. @param {string} reason */
function leave(reason) {
  forgetTokens().catch(() => undefined);
  silence().catch(() => undefined);
  pair.explain(reason);
  fill(page, pair.element);
}

app.link.addEventListener("phase", () => app.link.phase === "out" && leave(app.link.reason));
register();
navigator.serviceWorker?.addEventListener("message", ({ data }) => data?.request && (location.hash = `#request=${encodeURIComponent(data.request)}`));
if (pairing) {
  begin(pairing);
} else if (await isPaired()) {
  enter();
} else {
  pair.busy(false, "");
  fill(page, pair.element);
}
