/**
 * The workspaces that the daemon knows, with their sessions, and what this device may do in them.
 *
 * @typedef {{ id: string, status: string, summary?: string, message_count?: number, last_updated?: string, last_active?: string, started_at?: string,
 *             viewers?: string[], branch?: string }} Past a session of `workspace/list`
 * @typedef {{ id: string, name: string, path: string, sessions: Past[], branch: string }} Workspace
 */

export class Workspaces {
  /** @param {import("../net/link.js").Link} link @param {import("./features.js").Features} features */
  constructor(link, features) {
    this.link = link;
    this.features = features;
    /** @type {Workspace[]} */
    this.list = [];
    /** The session that was looked at last, by workspace: the way back from its files. @type {Map<string, string>} */
    this.looked = new Map();
    /** @type {Promise<boolean> | null} */
    this.driving = null;
    link.addEventListener("phase", () => (this.driving = null));
  }

  get isOffered() {
    return this.features.has("workspace/list");
  }

  /** Asks for all of them anew. */
  async load() {
    if (!this.isOffered) return (this.list = []);
    const asked = this.features.has("workspace/list", "include_git") ? { include_git: true } : {};
    const { workspaces } = await this.link.call("workspace/list", asked);
    return (this.list = workspaces.map(workspace));
  }

  /** What transcripts tell of the latest sessions, by session. @returns {Promise<Map<string, any>>} */
  async facts() {
    if (!this.features.has("workspace/session/history")) return new Map();
    const { sessions } = await this.link.call("workspace/session/history", { limit: 100 }).catch(() => ({ sessions: [] }));
    return new Map(sessions.map((/** @type {any} */ session) => [session.session_id, session]));
  }

  /** @param {string} id */
  async get(id) {
    if (!this.find(id)) await this.load();
    return this.find(id);
  }

  /** @param {string} id */
  find(id) {
    return this.list.find((workspace) => workspace.id === id) ?? null;
  }

  /** The workspace of a session: the one that lists it, else the innermost that holds its directory. @param {{ session_id: string, cwd?: string, root?: string }} session */
  of({ session_id, cwd, root }) {
    const listed = this.list.find(({ sessions }) => sessions.some(({ id }) => id === session_id));
    const places = [cwd, root].filter((place) => typeof place === "string");
    const holding = this.list.filter(({ path }) => places.some((place) => place === path || place?.startsWith(`${path}/`)));
    return listed ?? holding.toSorted((a, b) => b.path.length - a.path.length)[0] ?? null;
  }

  /** Whether this device may change files and repositories, and see what is sensitive. */
  mayDrive() {
    return (this.driving ??= this.askRights());
  }

  async askRights() {
    try {
      const { devices } = await this.link.call("device/list");
      return devices.find((/** @type {any} */ device) => device.own)?.rights?.includes("drive") ?? false;
    } catch {
      this.driving = null;
      return false;
    }
  }
}

/** @param {any} told @returns {Workspace} */
function workspace(told) {
  const { id, name, path, sessions, git, branch } = told;
  return { id, name: String(name ?? ""), path: String(path ?? ""), sessions: sessions ?? [], branch: String(branch ?? git?.branch ?? told.git_branch ?? "") };
}
