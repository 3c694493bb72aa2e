import { SignedOut, Unheard } from "./rpc.js";
import { forgetAll, keep, recall } from "./vault.js";

/**
 * @typedef {object} Tokens
 * @property {string} access
 * @property {number} [expires] milliseconds since 1970; absent for a token that never ends
 * @property {string} [refresh]
 * @property {string} [deviceId]
 * @property {string} [deviceName]
 * @property {string[]} [rights]
 */

const KEY = "tokens";
/** A token is changed this long before its end, so that none runs out on the way. */
const MARGIN = 60_000;

/** @returns {Promise<Tokens | undefined>} */
export const kept = () => recall(KEY);

/** @param {Tokens} tokens */
export const keepTokens = (tokens) => keep(KEY, tokens);
/** With them goes what was typed here for a daemon that lets this device in no more. */
export const forgetTokens = () => forgetAll();

/** A token that is good for now. @param {boolean} [refused] the one that is kept was refused */
export async function access(refused = false) {
  const tokens = await kept();
  if (!tokens) throw new SignedOut("this browser is not paired");
  if (!tokens.refresh) {
    if (refused) throw new SignedOut("this token is unknown or was revoked");
    return tokens.access;
  }
  if (!refused && Date.now() < (tokens.expires ?? 0) - MARGIN) return tokens.access;
  return alone(() => renewed(tokens.access));
}

/** One tab at a time: a refresh token is good once. @template T @param {() => Promise<T>} act @returns {Promise<T>} */
function alone(act) {
  // Plain HTTP beyond loopback has no locks; the daemon's minute of grace for the last token stands in.
  return navigator.locks ? navigator.locks.request("cdev-refresh", act) : act();
}

/** @param {string} stale the access token that is to be replaced; another tab may have done it meanwhile */
async function renewed(stale) {
  const tokens = await kept();
  if (!tokens?.refresh) throw new SignedOut("this browser is not paired any more");
  if (tokens.access !== stale) return tokens.access;
  const { status, body } = await ask("/api/auth/refresh", { refresh_token: tokens.refresh });
  if (status === 401 || status === 403) throw new SignedOut(body.error ?? "this device was signed out");
  if (status !== 200) throw new Unheard(body.error ?? `the daemon answered ${status}`);
  await keepTokens(fromAnswer(body));
  return body.access_token;
}

/** @param {any} body of exchange and refresh @returns {Tokens} */
export function fromAnswer(body) {
  return {
    access: body.access_token,
    // By this device's clock: only how long it lasts is taken from the daemon's.
    expires: Date.now() + body.expires_in * 1000,
    refresh: body.refresh_token,
    deviceId: body.device_id,
    deviceName: body.device_name,
    rights: body.rights,
  };
}

/** Says good-bye to the daemon, and forgets whatever it answers. */
export async function signOut() {
  const tokens = await kept();
  await forgetTokens();
  if (tokens?.refresh) await ask("/api/auth/revoke", { refresh_token: tokens.refresh }).catch(() => undefined);
}

/** @param {string} path @param {any} body @returns {Promise<{ status: number, body: any }>} */
export async function ask(path, body) {
  let response;
  try {
    response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      cache: "no-store",
      credentials: "omit",
      signal: AbortSignal.timeout(15_000),
    });
  } catch {
    throw new Unheard("the daemon did not answer");
  }
  return { status: response.status, body: await response.json().catch(() => ({})) };
}
