import { fill, h, icon } from "../dom.js";
import { LOOKS, Refused, Repository, excuse, trouble } from "../state/repository.js";
import { plain } from "../text/characters.js";
import { branches } from "./branches.js";
import { ChangeRow } from "./change-row.js";
import { CommitForm } from "./commit.js";
import { Commits } from "./commits.js";
import { WIDE } from "./patch.js";
import { places } from "./places.js";
import { repositoryBar } from "./repository-bar.js";
import { Stashes } from "./stashes.js";
import { shown } from "./text.js";

/** Milliseconds after an event: several come for one command of git. */
const PAUSE = 200;
/** Milliseconds after which the daemon is asked again, though nothing was heard: ten minutes after a question it tells no more. */
const RENEWAL = 300_000;
const TOLD = new Set(["event/git_status_changed", "event/git_branch_changed", "event/file_changed", "event/git_operation_completed"]);

/** @type {{ name: import("./change-row.js").Area, title: string }[]} */
const AREAS = [{ name: "conflicted", title: "In conflict" }, { name: "staged", title: "Staged" }, { name: "unstaged", title: "Changed" }, { name: "untracked", title: "New" }];

/** What changed in a workspace's files, and what git does with it. */
export class ChangesView {
  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
    this.title = "Changes";
    this.back = { href: "#sessions", label: "Back to the sessions" };
    this.head = h("div.head");
    this.bar = h("div.repository");
    this.note = h("div.note-box", { role: "status" });
    this.error = h("div.alarm", { role: "alert", hidden: true });
    this.rights = h("p.note", { hidden: true }, LOOKS);
    this.lists = h("div.areas");
    this.commit = new CommitForm((message, isPushed) => this.committed(message, isPushed));
    this.stashes = new Stashes(this);
    this.commits = new Commits(this);
    this.element = h("section.changes", { "aria-label": "Changes" }, this.head, this.bar, this.note, this.error, this.rights, this.lists, this.commit.element, this.stashes.element, this.commits.element);
    this.wide = matchMedia(WIDE);
    this.wide.addEventListener("change", () => this.lay());
    this.isSplit = false;
    app.link.addEventListener("notification", (event) => this.heard(/** @type {CustomEvent} */ (event).detail));
  }

  /** @param {string[]} parts */
  open([workspace]) {
    this.workspace = workspace;
    this.repository = new Repository(this.app.link, workspace);
    this.status = undefined;
    /** Rows by area and path, so that what is unfolded stays so. @type {Map<string, ChangeRow>} */
    this.rows = new Map();
    this.commit.clear();
    this.stashes.clear();
    this.commits.clear();
    fill(this.lists);
    fill(this.bar);
    this.fail("");
    this.tell("");
    this.entitle();
    this.appear();
  }

  entitle() {
    this.title = plain(this.app.workspaces.find(this.workspace ?? "")?.name ?? "Changes");
    this.app.frame.entitle(this);
    fill(this.head, places(this.app, this.workspace ?? "", "changes"));
  }

  leave() {
    this.workspace = undefined;
  }

  /** @param {import("../net/rpc.js").Notification} event */
  heard({ method, params }) {
    if (!this.workspace || !this.element.isConnected) return;
    const isOld = method === "event/heartbeat" && performance.now() - (this.askedAt ?? 0) > RENEWAL;
    if (!isOld && (params?.workspace_id !== this.workspace || !TOLD.has(method))) return;
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.appear(), PAUSE);
  }

  async appear() {
    const { workspace, repository } = this;
    if (!workspace || !repository || !this.app.isOnline) return;
    this.askedAt = performance.now();
    try {
      const [status, mayDrive] = await Promise.all([repository.status(), this.app.workspaces.mayDrive(), this.app.workspaces.get(workspace)]);
      if (repository !== this.repository) return;
      this.mayDrive = mayDrive;
      this.status = status;
      this.entitle();
      // What was done stays said, though an event of that very act brings us here.
      if (this.isExcused) this.tell("");
      this.lay();
    } catch (error) {
      if (repository !== this.repository) return;
      this.tell(excuse(error));
      this.isExcused = true;
    }
  }

  lay() {
    const { status } = this;
    if (!status || !this.workspace) return;
    const focus = /** @type {HTMLElement | null} */ (document.activeElement)?.closest?.("[data-key]");
    const key = focus && this.element.contains(focus) ? /** @type {HTMLElement} */ (focus).dataset.key : undefined;
    this.rights.hidden = this.mayDrive !== false;
    fill(this.bar, repositoryBar(this, status));
    const rows = new Map();
    fill(this.lists, AREAS.map((area) => this.area(area, status, rows)));
    this.rows = rows;
    const isClean = !rows.size;
    if (isClean) this.lists.append(h("div.empty", {}, icon("check"), h("h2", {}, "Nothing changed"), h("p", {}, "Everything here is committed.")));
    this.commit.update(this.mayDrive === true && this.offers("commit"), status.staged.length, this.offers("push"));
    this.stashes.update(status);
    this.commits.update(status);
    const again = key && this.element.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (again instanceof HTMLElement && again !== document.activeElement) again.focus({ preventScroll: true });
  }

  /** @param {string} name */
  offers(name) {
    return this.app.features.has(`workspace/git/${name}`);
  }

  /** @param {typeof AREAS[number]} area @param {import("../state/repository.js").Status} status @param {Map<string, ChangeRow>} rows */
  area({ name, title }, status, rows) {
    const files = /** @type {import("../state/repository.js").File[]} */ (status[name]);
    if (!files.length) return null;
    const may = this.mayDrive === true;
    const all = name === "staged" ? "Unstage all" : "Stage all";
    const isOffered = may && files.length > 1 && this.offers(name === "staged" ? "unstage" : "stage");
    return h("section.group", { "aria-label": title }, h("div.heading-line", {}, h("h2", {}, `${title} `, h("span.tag", {}, status.counts?.[name] ?? files.length)),
      isOffered ? h("button.quiet", { type: "button", "data-key": `${all} ${name}`, "aria-label": `${all}: ${title.toLowerCase()}`, onclick: () => this.move(name, files.map(({ path }) => path)) }, all) : null),
    files.map((file) => {
      const key = `${name} ${file.path}`;
      const row = this.rows?.get(key) ?? new ChangeRow(this, name);
      row.update(file, may, this.isSplit && this.wide.matches);
      rows.set(key, row);
      return row.element;
    }));
  }

  /** Stages what is not staged, and the other way round. @param {import("./change-row.js").Area} area @param {string[]} paths */
  move(area, paths) {
    return area === "staged" ? this.act("Unstaging", "unstage", { paths }) : this.act("Staging", "stage", { paths });
  }

  /** @param {string} message @param {boolean} isPushed */
  async committed(message, isPushed) {
    if (await this.act("Committing", "commit", { message, ...(isPushed ? { push: true } : {}) })) this.commit.clear();
  }

  async branches() {
    if (this.repository) await branches(this.repository, this.mayDrive === true, (branch, create) => this.act("Switching", "checkout", { branch, ...(create ? { create } : {}) }));
  }

  /** @param {string} doing @param {string} name @param {any} params @returns {Promise<boolean>} whether it was done */
  async act(doing, name, params) {
    const { repository } = this;
    if (!repository || this.isBusy) return false;
    this.isBusy = true;
    this.element.setAttribute("aria-busy", "true");
    this.fail("");
    this.tell(`${doing}…`);
    this.refusal = null;
    try {
      const { message, sha, error } = await repository.act(name, params);
      // A commit is there though its push failed.
      if (error) this.fail(`${message}: ${error}`);
      const done = typeof message === "string" && message ? message : "";
      this.app.say(plain(done || `${doing} is done.`));
      this.done = done && `${done}${sha ? ` (${String(sha).slice(0, 7)})` : ""}`;
      return true;
    } catch (error) {
      this.refusal = error instanceof Refused ? error : null;
      this.fail(trouble(doing, error));
      return false;
    } finally {
      this.isBusy = false;
      this.element.removeAttribute("aria-busy");
      await this.appear();
      if (repository === this.repository && (this.done || !this.isExcused)) this.tell(this.done);
      this.done = "";
    }
  }

  /** @param {string} text "" for nothing */
  tell(text) {
    this.isExcused = false;
    fill(this.note, text && h("p.note", {}, plain(text)));
  }

  /** @param {string} text "" for nothing */
  fail(text) {
    this.error.hidden = !text;
    fill(this.error, text && [icon("alert"), h("p", {}, plain(text))]);
  }
}
