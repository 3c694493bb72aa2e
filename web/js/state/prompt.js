/**
 * @typedef {object} Prompt
 * @property {string} id a UUID, by which the daemon and Claude know a prompt that is sent again
 * @property {string} text
 * @property {import("./scaled.js").Picture[]} [pictures]
 * @property {number} at when it was sent first, in milliseconds since 1970
 * @property {"sending" | "unsure" | "queued" | "sent" | "started" | "back" | "lost"} step `unsure`: nobody knows whether it arrived, and it is sent
 *   again; `back`: it is not going to run; `lost`: nobody knows whether it ran
 */

/** Characters of all pictures of a prompt: the daemon takes 10 MiB in one message, with the rest of it. */
const ROOM = 9 << 20;

/** Where it is kept. @param {string} conversation */
export const keyOf = (conversation) => `prompts ${conversation}`;

/** @param {import("./scaled.js").Picture[]} pictures */
export const hasRoom = (pictures) => pictures.reduce((sum, { data }) => sum + data.length, 0) <= ROOM;

/** One that is sent now. @param {string} text @param {import("./scaled.js").Picture[]} pictures @returns {Prompt} */
export const begun = (text, pictures) => ({ id: uuid(), text, at: Date.now(), step: "sending", ...(pictures.length ? { pictures } : {}) });

/** As `session/send` takes it: the pictures before the words about them. @param {Prompt} prompt */
export function content({ text, pictures = [] }) {
  if (!pictures.length) return text;
  const blocks = pictures.map(({ media_type, data }) => ({ type: "image", source: { type: "base64", media_type, data } }));
  return text ? [...blocks, { type: "text", text }] : blocks;
}

/** A random UUID. `crypto.randomUUID` is missing where the page came over plain HTTP. */
export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
