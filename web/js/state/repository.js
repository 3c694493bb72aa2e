import { METHOD_NOT_FOUND, RpcError } from "../net/rpc.js";

/** Milliseconds for what talks to another machine, or runs the repository's hooks. */
const LONG = 150_000;

/**
 * @typedef {{ path: string, status: string, additions?: number, deletions?: number, old_path?: string, from?: string }} File
 * @typedef {{ branch: string, upstream?: string, ahead?: number, behind?: number, staged: File[], unstaged: File[], untracked: File[],
 *             conflicted: File[], is_detached?: boolean, sha?: string | null, operation?: string | null, truncated?: boolean,
 *             counts?: Record<string, number> }} Status
 */

/** The repository of one workspace: what is asked of it, and what is done to it. */
export class Repository {
  /** @param {import("../net/link.js").Link} link @param {string} workspace */
  constructor(link, workspace) {
    this.link = link;
    this.workspace = workspace;
  }

  /** @param {string} name @param {any} [params] @param {number} [patience] @returns {Promise<any>} */
  call(name, params = {}, patience) {
    return this.link.call(`workspace/git/${name}`, { workspace_id: this.workspace, ...params }, patience);
  }

  /** @returns {Promise<Status>} */
  async status() {
    const told = await this.call("status");
    const list = (/** @type {any} */ files) => (Array.isArray(files) ? files.map((file) => (typeof file === "string" ? { path: file, status: "U" } : file)) : []);
    return { ...told, staged: list(told.staged), unstaged: list(told.unstaged), untracked: list(told.untracked), conflicted: list(told.conflicted) };
  }

  /** Does it; the sentence that says so, or an error whose message says what happened. @param {string} name @param {any} params @returns {Promise<any>} */
  async act(name, params) {
    const result = await this.call(name, params, LONG);
    if (result?.success === false) throw new Refused(result);
    return result;
  }
}

/** Git said no. */
export class Refused extends Error {
  /** @param {any} result */
  constructor(result) {
    super(String(result.error ?? result.message ?? "git refused it"));
    /** @type {string[]} */
    this.conflicted = result.conflicted_files ?? [];
    /** The kind of refusal, of a daemon that says it; its message then tells what to do. @type {string | undefined} */
    this.kind = result.kind;
    this.output = String(result.output ?? "");
  }
}

/** What went wrong, and what to do. @param {string} what was tried @param {unknown} error @returns {string} */
export function trouble(what, error) {
  const message = error instanceof Error ? error.message : String(error);
  const sentence = `${what} did not work: ${message.replace(/\.$/, "")}.`;
  if (error instanceof Refused && error.kind && !error.conflicted.length) return sentence;
  if (error instanceof Refused && error.conflicted.length) return `${sentence} In conflict: ${error.conflicted.join(", ")}. Resolve them in the project, then stage them.`;
  if (error instanceof Refused && /uncommitted|unstaged|overwritten|local changes/i.test(message)) return `${sentence} Commit or discard the changes first.`;
  if (error instanceof Refused && /non-fast-forward|rejected|fetch first|behind/i.test(message)) return `${sentence} Pull first, then push again.`;
  if (error instanceof RpcError && error.data?.refused === "drive") return `${what} did not work: ${LOOKS}`;
  if (error instanceof RpcError || error instanceof Refused) return sentence;
  return `${what} was not confirmed: the connection went. What is shown below is asked for again.`;
}

export const LOOKS = "This device may look, but not change anything here. To allow it, pair it on the computer with “cdev pair --rights drive”.";

/** Why nothing can be shown. @param {unknown} error @returns {string} */
export function excuse(error) {
  if (error instanceof RpcError && error.code === METHOD_NOT_FOUND) return "This daemon cannot tell what changed.";
  if (error instanceof RpcError) return `What changed cannot be shown: ${error.message.replace(/\.$/, "")}.`;
  return "Offline: what changed comes when the connection is back.";
}
