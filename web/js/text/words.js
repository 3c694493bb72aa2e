/**
 * Sentences about times, places and people.
 */

/** @param {number} milliseconds @returns {string} `4:05`, `1 h 2 min` */
export function left(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const minutes = Math.floor((seconds % 3600) / 60);
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)} h${minutes ? ` ${minutes} min` : ""}`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** @param {string} at RFC 3339 @param {number} now @returns {string} `12 s ago` */
export function ago(at, now) {
  const seconds = Math.max(0, Math.round((now - Date.parse(at)) / 1000));
  if (seconds < 5) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
}

/** @param {string | null} from @param {string | null} to RFC 3339, whole seconds @returns {string} */
export function lasted(from, to) {
  if (!from || !to) return "";
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1000);
  if (seconds < 1) return "< 1 s";
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** @param {string} at @returns {string} the time of day, with the date where it was another day */
export function clock(at) {
  const time = new Date(at);
  const today = new Date().toDateString() === time.toDateString();
  return time.toLocaleString([], { ...(today ? {} : { day: "numeric", month: "short" }), hour: "2-digit", minute: "2-digit" });
}

/** @param {string} at @returns {string} the time of day */
export const hour = (at) => new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

/** @param {string} at @param {Date} [now] @returns {string} `Today`, `Yesterday`, else the date */
export function day(at, now = new Date()) {
  const time = new Date(at);
  const before = new Date(now);
  before.setDate(now.getDate() - 1);
  if (time.toDateString() === now.toDateString()) return "Today";
  if (time.toDateString() === before.toDateString()) return "Yesterday";
  return time.toLocaleDateString([], { weekday: "short", day: "numeric", month: "short", ...(time.getFullYear() === now.getFullYear() ? {} : { year: "numeric" }) });
}

/** @param {number} count @param {string} noun */
export const counted = (count, noun) => `${count.toLocaleString()} ${noun}${count === 1 ? "" : "s"}`;

/** @param {number} dollars @returns {string} `$0.42` */
export const money = (dollars) => (dollars > 0 && dollars < 0.01 ? "< $0.01" : `$${dollars.toFixed(2)}`);

/** @param {number} count @returns {string} `12 k` */
export function compact(count) {
  if (count < 1000) return String(count);
  return count < 1_000_000 ? `${Math.round(count / 1000)} k` : `${(count / 1_000_000).toFixed(1)} M`;
}

/** @param {number} bytes @returns {string} `12 KB` */
export function size(bytes) {
  if (bytes < 1024) return counted(bytes, "byte");
  return bytes < 1 << 20 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / (1 << 20)).toFixed(1)} MB`;
}

/** The last part of a path. @param {string} path */
export const base = (path) => path.split("/").filter(Boolean).at(-1) ?? path;

/** @param {string} id of a session */
export const short = (id) => id.slice(0, 8);

/** Who decided, from `resolved_by`. @param {string | null | undefined} resolver */
export function who(resolver) {
  const [kind, ...rest] = (resolver ?? "").split(" ");
  const name = rest.join(" ");
  switch (kind) {
    case "device": return name;
    case "link": return `a link (${name})`;
    case "local": return "somebody at the computer";
    case "rule": return "a session rule";
    case "terminal": return "somebody in the terminal";
    case "": return "somebody else";
    default: return resolver ?? "";
  }
}

/** Where nobody decided, from `resolved_by`. @type {Record<string, string>} */
const CIRCUMSTANCES = {
  "hook gone": "as Claude stopped waiting",
  "lost": "as the connection to Claude was lost",
  "no approver": "as nobody was there to ask",
  "session limit": "as too many requests of its session were open",
  "timeout": "as nobody answered in time",
};

/** The person, rule or circumstance, to stand behind a decision. @param {string | null | undefined} resolver */
export function cause(resolver) {
  const circumstance = Object.hasOwn(CIRCUMSTANCES, resolver ?? "") && CIRCUMSTANCES[resolver ?? ""];
  return circumstance ? `, ${circumstance}` : ` by ${who(resolver)}`;
}

/**
 * The reason of an end, where it says more than the decision and its cause.
 * @param {{decision?: string, resolved_by?: string | null, reason?: string | null}} end
 */
export function more({ decision, resolved_by, reason }) {
  const known = decided(decision) + cause(resolved_by);
  if (!reason || reason.toLowerCase() === known.toLowerCase()) return "";
  return resolved_by === "timeout" ? reason.replace(/^nobody answered (in time$)?/, "") : reason;
}

/** @param {string | undefined} decision */
export function decided(decision) {
  return { allow: "Allowed", deny: "Denied", ask: "To be answered in terminal", pass: "Left to Claude" }[decision ?? ""] ?? "Ended";
}
