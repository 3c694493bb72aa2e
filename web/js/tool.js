/**
 * The input of a call by what its members are: their names are the agent's, and the card says which is which.
 */

/** @param {any} data a card, or an entry of a list @param {string} role @returns {string | undefined} the member's name */
export const named = (data, role) => data.members?.[role];

/** A `tool_use` block of a transcript in the form of a card's data. @param {any} block */
export const called = (block) => ({ kind: block.kind, members: block.members, title: block.title, tool_name: String(block.name ?? "?"), tool_input: block.input ?? {} });

/** What plays the role in the input, or in a part of it. @param {any} data @param {string} role @param {any} [input] @returns {any} */
export function part(data, role, input = data.tool_input) {
  const name = named(data, role);
  return name === undefined ? undefined : input?.[name];
}

/** The line that runs, where the call is one. @param {any} data @returns {any} */
export const command = (data) => (data.kind === "shell_command" ? part(data, "command") : undefined);

/** Whether the call is a question to the user by itself. @param {any} data */
export const isForUser = ({ kind }) => kind === "question" || kind === "plan";
