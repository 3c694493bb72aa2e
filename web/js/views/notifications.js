import { fill, h } from "../dom.js";
import { plain } from "../text/characters.js";

/** @returns {Promise<PushSubscription | null | undefined>} what the browser has, where the person allowed it */
async function subscribed() {
  if (globalThis.Notification?.permission !== "granted") return null;
  return (await navigator.serviceWorker?.getRegistration())?.pushManager?.getSubscription();
}

/** Tells the daemon again, which may have lost it or know this device by another name. @param {import("../app.js").App} app */
export async function renew(app) {
  if (!app.mayAnswer || !app.features.has("push/subscribe")) return;
  const subscription = await subscribed();
  if (!subscription) return;
  const { endpoint, keys } = subscription.toJSON();
  await app.link.call("push/subscribe", { endpoint, keys });
}

/** A device that is let in no more is told nothing more. */
export async function silence() {
  await (await subscribed())?.unsubscribe();
}

/** A browser's push service that does not answer keeps nobody waiting longer; milliseconds. */
const PATIENCE = 15_000;

/** @template T @param {Promise<T>} promise @param {string} who is waited for @returns {Promise<T>} */
const inTime = (promise, who) => Promise.race([promise, new Promise((_, reject) =>
  setTimeout(() => reject(new Error(`${who} did not answer within ${PATIENCE / 1000} s. Try again, perhaps in another network.`)), PATIENCE))]);

/** Subscribes this browser. @param {import("../app.js").App} app @param {(text: string) => void} tell how far it is */
async function subscribe(app, tell) {
  tell("Asking you…");
  if (Notification.permission !== "granted" && (await Notification.requestPermission()) !== "granted") return;
  tell("Starting the page’s worker…");
  const { pushManager } = await inTime(navigator.serviceWorker.ready, "The page’s worker");
  tell("Asking the daemon for its key…");
  const { key } = await app.link.call("push/key");
  tell("Asking the browser’s push service…");
  const { endpoint, keys } = (await inTime(pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }), "The browser’s push service")).toJSON();
  tell("Telling the daemon…");
  await app.link.call("push/subscribe", { endpoint, keys });
}

/** True if notifications can be turned on here and are not. @param {import("../app.js").App} app */
export async function canTurnOn(app) {
  if (!app.mayAnswer || !app.features.has("push/subscribe") || !globalThis.Notification || Notification.permission === "denied") return false;
  const manager = (await navigator.serviceWorker?.getRegistration())?.pushManager;
  return !!manager && (await manager.getSubscription()) === null;
}

/**
 * Web Push for this device. The person asks for it here: browsers want a press before they ask back.
 * @param {import("../app.js").App} app @param {() => void} [ondone] it is on
 * @returns {HTMLElement | null} nothing where the daemon sends none, or this device only views
 */
export function notifying(app, ondone) {
  if (!app.mayAnswer || !app.features.has("push/subscribe")) return null;
  const state = h("span.line", { role: "status" });
  const button = h("button.quiet.careful", { type: "button", onclick: () => act() });
  const row = h("div.item.row", {}, h("span.main", {}, h("strong", {}, "Notifications"), state), button);
  const tell = (/** @type {string} */ text) => fill(state, plain(text));

  /** What can be done, and why not. */
  async function look() {
    const registration = await navigator.serviceWorker?.getRegistration();
    const manager = registration?.pushManager;
    button.hidden = !manager || Notification.permission === "denied";
    if (!manager) return tell(globalThis.isSecureContext ? "This browser takes none here. Install the page first." : "They need HTTPS.");
    if (Notification.permission === "denied") return tell("Forbidden in the browser’s settings for this page.");
    const isOn = (await manager.getSubscription()) !== null;
    button.textContent = isOn ? "Turn off" : "Turn on";
    button.setAttribute("aria-label", `${button.textContent} notifications`);
    tell(isOn ? "On: a request reaches this device while the page is closed." : "Off");
  }

  async function act() {
    button.disabled = true;
    try {
      const subscription = await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription();
      if (subscription) {
        tell("Turning off…");
        await app.link.call("push/unsubscribe");
        await subscription.unsubscribe();
      } else {
        await subscribe(app, tell);
      }
      await look();
      if (!subscription && button.textContent === "Turn off") ondone?.();
    } catch (error) {
      tell(`Not done: ${error instanceof Error ? error.message : error}`);
    }
    button.disabled = false;
  }

  look().catch((error) => tell(error.message));
  return row;
}
