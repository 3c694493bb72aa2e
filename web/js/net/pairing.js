import { ask, fromAnswer, keepTokens, kept } from "./tokens.js";

/** What a person can hand over, by what it looks like. */
const PAIRING = /cdev_p_[A-Za-z0-9_-]+/;
const ACCESS = /cdev_s_[A-Za-z0-9_-]+/;

/** Pairing did not work; the message is for the person. */
export class PairingError extends Error {}

/**
 * The pairing token of the address, which is cleaned before anything else happens: no history, no screenshot, no
 * bookmark keeps it.
 */
export function tokenFromAddress() {
  const token = /^#pair=(.+)$/.exec(location.hash)?.[1] ?? null;
  if (token) history.replaceState(null, "", location.pathname);
  return token;
}

/**
 * Pairs with whatever was typed or pasted: a link, a pairing token, a device token, or the eight letters of a code.
 * @param {string} text @param {(request: { request_id: string }) => void} onwaiting while the host has to confirm
 */
export async function pairWith(text, onwaiting) {
  // A link or a code is good once. It is not used while the storage could not keep what it brings.
  await kept();
  const token = PAIRING.exec(text)?.[0];
  if (token) return exchange(token, onwaiting);
  const device = ACCESS.exec(text)?.[0];
  if (device) return keepTokens({ access: device });
  const code = text.replace(/[\s-]/g, "").toUpperCase();
  if (!/^[A-Z0-9]{8}$/.test(code)) throw new PairingError("That is neither a code of 8 characters nor a pairing link.");
  return exchange(await tokenForCode(code), onwaiting);
}

/** @param {string} code @returns {Promise<string>} */
async function tokenForCode(code) {
  const { status, body } = await ask("/api/pair/code", { code });
  if (status === 200) return body.pairing_token;
  throw new PairingError(explain(status, body));
}

/**
 * @param {string} token @param {(request: { request_id: string }) => void} onwaiting
 * @param {() => Promise<void>} [pause] between two times of asking
 */
export async function exchange(token, onwaiting, pause = () => new Promise((resolve) => setTimeout(resolve, 2000))) {
  for (;;) {
    const { status, body } = await ask("/api/auth/exchange", { pairing_token: token, ...description() });
    if (status === 200) return keepTokens(fromAnswer(body));
    if (status !== 202) throw new PairingError(explain(status, body));
    onwaiting(body);
    await pause();
  }
}

/** @param {number} status @param {any} body */
function explain(status, body) {
  if (status === 404) return "This daemon does not pair browsers. Paste a token made with “cdev token create”.";
  if (status === 429) return "Too many tries. Wait a minute, then try again.";
  const sentence = String(body.error ?? `the daemon answered ${status}`);
  return `${sentence[0].toUpperCase()}${sentence.slice(1)}.`;
}

/** How this device will stand in the list of devices. */
function description() {
  const agent = navigator.userAgent;
  const platforms = ["iPhone", "iPad", "Android", "Mac", "Windows", "Linux"];
  const platform = platforms.find((name) => agent.includes(name)) ?? "";
  const browser = ["Firefox", "Edg", "Chrome", "Safari"].find((name) => agent.includes(name)) ?? "Browser";
  return { name: `${browser.replace("Edg", "Edge")} on ${platform || "a device"}`, platform };
}
