/**
 * What stands behind # in the page's address: the name of a view, and what it is about. Each part is encoded by itself,
 * as ids and paths may hold any character.
 */

/** @param {string} name @param {...string} parts @returns {string} `#changes=ws-1` */
export const to = (name, ...parts) => `#${name}${parts.length ? `=${parts.map(encodeURIComponent).join("/")}` : ""}`;

/** The name and its parts; an empty name where the address is not well formed, as anybody may have written it. */
export function here() {
  const [name, ...rest] = location.hash.slice(1).split("=");
  try {
    const parts = rest.length ? rest.join("=").split("/").map(decodeURIComponent) : [];
    return { name: decodeURIComponent(name), parts };
  } catch {
    return { name: "", parts: [] };
  }
}
