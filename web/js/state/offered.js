/**
 * @typedef {{ value: string, name: string, description?: string }} Model `value` as `session/set` takes it
 * @typedef {{ name: string, description?: string, argument_hint?: string }} Command a slash command, without its slash
 * @typedef {{ models: Model[], commands: Command[] }} Offered
 */

/** The agent's own choice, which each agent has. @type {Model} */
export const USUAL = { value: "default", name: "Default" };

/** Nobody told what the agent offers, or the daemon is an older one. @type {Offered} */
export const NOTHING = { models: [], commands: [] };

/**
 * The models and slash commands that the agent offers. Nothing depends on them, so an error counts as no offer.
 * @param {{ link: import("../net/link.js").Link, features: import("./features.js").Features }} daemon
 * @param {string} [session] the daemon's id; without one, as any session told last @returns {Promise<Offered>}
 */
export async function offered({ link, features }, session) {
  if (!features.has("session/options")) return NOTHING;
  const told = await link.call("session/options", session ? { session_id: session } : {}).catch(() => NOTHING);
  return { models: ordered(told.models ?? []), commands: (told.commands ?? []).map(bare).filter(isTypable) };
}

/** The default first. @param {Model[]} models */
function ordered(models) {
  const usual = models.find(({ value }) => value === USUAL.value) ?? USUAL;
  return models.length ? [usual, ...models.filter((model) => model !== usual)] : [];
}

/** @param {Command} command @returns {Command} */
const bare = (command) => ({ ...command, name: String(command.name).replace(/^\//, "") });

/** Its name goes into the field, so each of its characters has to be seen there. @param {Command} command */
const isTypable = ({ name }) => /^[\p{L}\p{N}_.:/-]+$/u.test(name);
