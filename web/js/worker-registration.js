/** The only script address made from a string, which browsers want to be sure of. */
const ADDRESS = "/worker.js";

/** Starts the worker, where there may be one: over HTTPS, and on this machine. */
export async function register() {
  if (!("serviceWorker" in navigator)) return;
  const trusted = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("worker", { createScriptURL: () => ADDRESS });
  try {
    await navigator.serviceWorker.register(trusted?.createScriptURL("") ?? ADDRESS, { scope: "/" });
  } catch {
    // The page works without; it is then neither installed nor there while the daemon is not.
  }
}
