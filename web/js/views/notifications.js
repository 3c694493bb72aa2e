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

/**
 * Web Push for this device. The person asks for it here: browsers want a press before they ask back.
 * @param {import("../app.js").App} app @returns {HTMLElement | null} nothing where the daemon sends none, or this device only views
 */
export function notifying(app) {
  if (!app.mayAnswer || !app.features.has("push/subscribe")) return null;
  const state = h("span.line", {});
  const button = h("button.quiet.careful", { type: "button", onclick: () => act().catch((error) => tell(error.message)) });
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
    const { pushManager } = await navigator.serviceWorker.ready;
    const subscription = await pushManager.getSubscription();
    if (subscription) {
      await app.link.call("push/unsubscribe");
      await subscription.unsubscribe();
      return look();
    }
    const { key } = await app.link.call("push/key");
    const { endpoint, keys } = (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })).toJSON();
    await app.link.call("push/subscribe", { endpoint, keys });
    return look();
  }

  look().catch((error) => tell(error.message));
  return row;
}
