import { post } from "./js/net/rpc.js";
import { access } from "./js/net/tokens.js";

// The daemon puts two lines before this file: FILES, path to SHA-256 of every file of the page, and FIELDS, the SHA-256 of
// the header fields they come with. Only those are ever kept, each under both. What the page asks the daemon goes past.
// It also puts the imported modules in, as a worker that is no module imports nothing.

const CACHE = "files";
const key = (path) => `${path}?sha256=${FILES[path]}&fields=${FIELDS}`;

self.addEventListener("install", (event) => event.waitUntil(fetchAll().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(dropOld().then(() => self.clients.claim())));

self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  const path = pathname === "/pair" ? "/" : pathname;
  if (event.request.method !== "GET" || origin !== self.location.origin || !(path in FILES)) return;
  event.respondWith(answer(event.request, path));
});

async function answer(request, path) {
  const kept = await (await caches.open(CACHE)).match(key(path));
  return kept ?? fetch(request);
}

/** Files that did not change since the last worker are there already. */
async function fetchAll() {
  const cache = await caches.open(CACHE);
  await Promise.all(Object.keys(FILES).map(async (path) => {
    if (await cache.match(key(path))) return;
    const response = await fetch(path, { cache: "no-store" });
    if (!response.ok || (await hash(response.clone())) !== FILES[path]) throw new Error(`${path} is not the file that was announced`);
    await cache.put(key(path), response);
  }));
}

async function dropOld() {
  const cache = await caches.open(CACHE);
  const current = new Set(Object.keys(FILES).map((path) => new URL(key(path), self.location.origin).href));
  for (const request of await cache.keys()) if (!current.has(request.url)) await cache.delete(request);
}

async function hash(response) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", await response.arrayBuffer()));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// A notification always shows something, as browsers demand of every push.
self.addEventListener("push", (event) => {
  const { title, body, tag, silent, request_id } = told(event.data);
  const isSilent = silent === true;
  // The end of a request is told silently; the page counts what is open.
  if (request_id && !isSilent) self.navigator.setAppBadge?.().catch(() => undefined);
  event.waitUntil(self.registration.showNotification(text(title) || "cdev", {
    body: text(body), tag: text(tag), silent: isSilent, renotify: text(tag) !== "" && !isSilent, icon: "/icons/icon-192.png",
    data: { request_id: text(request_id) }, actions: text(request_id) && !isSilent ? ACTIONS : [],
  }));
});

/** There is no "Allow": a notification does not show what would run. */
const ACTIONS = [{ action: "deny", title: "Deny" }, { action: "open", title: "Open" }];

const text = (value) => (typeof value === "string" ? value : "");

/** What was pushed; what cannot be read at least says that there is something. */
function told(data) {
  const unread = { body: "Something waits: open the page to see it." };
  try {
    const message = data?.json();
    return message && typeof message === "object" ? message : unread;
  } catch {
    return unread;
  }
}

self.addEventListener("notificationclick", (event) => {
  const { title, tag, data } = event.notification;
  event.notification.close();
  event.waitUntil(event.action === "deny" ? deny(data?.request_id, title, tag) : open(data?.request_id));
});

/** Denies the request; what cannot be denied is said and stays to be opened. @param {string} request */
async function deny(request, title, tag) {
  let body;
  try {
    await post(await access(), "permission/respond", { request_id: request, decision: "deny" });
    body = "Denied.";
  } catch (error) {
    body = `Not denied: ${error instanceof Error ? error.message : error}.`;
  }
  await self.registration.showNotification(title, { body, tag, silent: true, icon: "/icons/icon-192.png", data: { request_id: request } });
}

/** The card, in the page that is open already if there is one. The page of an answer link shows no cards. */
async function open(request) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = windows.find(({ url }) => ["/", "/pair"].includes(new URL(url).pathname));
  if (!page) return self.clients.openWindow(request ? `/#request=${encodeURIComponent(request)}` : "/");
  if (request) page.postMessage({ request });
  return page.focus();
}
