/**
 * JSON-RPC 2.0 as both ways to the daemon speak it.
 */

/** @typedef {{ method: string, params: any }} Notification */

export const METHOD_NOT_FOUND = -32601;

/** The daemon said no. */
export class RpcError extends Error {
  /** @param {{ code: number, message: string, data?: any }} error */
  constructor(error) {
    super(error.message);
    this.code = error.code;
    this.data = error.data ?? null;
  }
}

/** Nobody knows whether the daemon heard it. */
export class Unheard extends Error {}

/** The token was refused. */
export class SignedOut extends Error {}

let last = 0;

/** @param {string} method @param {any} [params] */
export function request(method, params) {
  return { jsonrpc: "2.0", id: ++last, method, ...(params === undefined ? {} : { params }) };
}

/** The result, or the error thrown. @param {any} response */
export function outcome(response) {
  if (response?.error) throw new RpcError(response.error);
  return response.result;
}

/**
 * One call by `POST /rpc`. A slow answer counts as none, or a stalled proxy would hold the page for ever.
 * @param {string} token @param {string} method @param {any} [params] @param {number} [patience] milliseconds
 */
export async function post(token, method, params, patience = 15_000) {
  let response;
  try {
    response = await fetch("/rpc", {
      method: "POST",
      headers: { "Authorization": `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify(request(method, params)),
      cache: "no-store",
      credentials: "omit",
      signal: AbortSignal.timeout(patience),
    });
    if (response.ok) return outcome(await response.json());
  } catch (error) {
    if (error instanceof RpcError) throw error;
    throw new Unheard("the daemon did not answer");
  }
  if (response.status === 401) throw new SignedOut("this device's token is unknown or was revoked");
  throw new Unheard(`the daemon answered ${response.status}`);
}
