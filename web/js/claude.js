/**
 * The calls of a transcript, which come as Claude wrote them. A card of a request says which member of its input is what;
 * here it is looked up, by the names of Claude Code's tools, where the daemon does not say it.
 */

const FILE = { file: "file_path", old: "old_string", new: "new_string", everywhere: "replace_all", content: "content" };
const USUAL = { command: "command", file: "file_path", note: "description", path: "path", pattern: "pattern", prompt: "prompt", query: "query", url: "url" };

/** @type {Record<string, { kind: string, members: Record<string, string>, title: string }>} */
const TOOLS = {
  Agent: { kind: "agent", members: USUAL, title: "Subagent" },
  AskUserQuestion: { kind: "question", members: {}, title: "Question to you" },
  Bash: { kind: "shell_command", members: { command: "command", note: "description" }, title: "Command" },
  Edit: { kind: "file_changes", members: FILE, title: "Edit" },
  ExitPlanMode: { kind: "plan", members: { plan: "plan" }, title: "Plan" },
  Glob: { kind: "search", members: { path: "path", pattern: "pattern" }, title: "List" },
  Grep: { kind: "search", members: { path: "path", pattern: "pattern" }, title: "Search" },
  MultiEdit: { kind: "file_changes", members: { ...FILE, edits: "edits" }, title: "Edit" },
  NotebookEdit: { kind: "file_changes", members: { file: "notebook_path", content: "new_source" }, title: "Edit" },
  Read: { kind: "read", members: { file: "file_path" }, title: "Read" },
  Task: { kind: "agent", members: USUAL, title: "Subagent" },
  WebFetch: { kind: "fetch", members: { url: "url", prompt: "prompt" }, title: "Fetch" },
  WebSearch: { kind: "fetch", members: { query: "query" }, title: "Web search" },
  Write: { kind: "file_changes", members: FILE, title: "Write" },
};

/** A `tool_use` block in the form of a card's data. @param {any} block */
export function call(block) {
  const name = String(block.name ?? "?");
  const known = Object.hasOwn(TOOLS, name) ? TOOLS[name] : { kind: "other", members: USUAL, title: name.replace(/^mcp__(.+?)__/, "$1 / ") };
  const input = typeof block.input === "string" ? parsed(block.input) : block.input;
  return { kind: block.kind ?? known.kind, members: block.members ?? known.members, title: known.title, tool_name: name, tool_input: input ?? {} };
}

/** The specification's event has the input as text. @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { input: text };
  }
}
