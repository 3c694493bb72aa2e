import { fill, h, icon, set } from "../dom.js";
import { METHOD_NOT_FOUND, RpcError } from "../net/rpc.js";
import { plain } from "../text/characters.js";
import { to } from "../text/address.js";
import { counted, size } from "../text/words.js";
import { file } from "./file.js";
import { places } from "./places.js";
import { shown } from "./text.js";

/** Entries of a folder asked for at once. */
const PAGE = 200;
/** Seconds for which a folder is watched before it is asked for again. */
const LOOKS = 120;

/** The files of a workspace: folders that unfold, and one file. */
export class FilesView {
  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
    this.title = "Files";
    this.back = { href: "#sessions", label: "Back to the sessions" };
    this.head = h("div.head");
    this.note = h("div.note-box", { role: "status" });
    this.tree = h("nav.file-tree", { "aria-label": "Files" });
    this.shown = h("article.file", { hidden: true, tabindex: -1 });
    this.element = h("section.files", { "aria-label": "Files" }, this.head, this.note, h("div.panes", {}, this.tree, this.shown));
    app.link.addEventListener("notification", (event) => this.heard(/** @type {CustomEvent} */ (event).detail));
  }

  /** @param {string[]} parts workspace, and perhaps a file */
  open([workspace, path]) {
    const isOther = this.workspace !== workspace || !this.root;
    this.workspace = workspace;
    this.path = path ?? "";
    if (isOther) {
      /** Unfolded ones. @type {Set<string>} */
      this.unfolded = new Set();
      this.root = null;
      fill(this.tree);
    }
    this.element.classList.toggle("one", Boolean(this.path));
    this.shown.hidden = !this.path;
    fill(this.shown);
    this.entitle();
    this.appear();
  }

  entitle() {
    const name = plain(this.app.workspaces.find(this.workspace ?? "")?.name ?? "Files");
    this.title = name;
    this.back = this.path ? { href: to("files", this.workspace ?? ""), label: "Back to the files" } : { href: "#sessions", label: "Back to the sessions" };
    this.app.frame.entitle(this);
    fill(this.head, places(this.app, this.workspace ?? "", "files"));
  }

  leave() {
    fill(this.shown);
  }

  /** @param {import("../net/rpc.js").Notification} event */
  heard({ method, params }) {
    if (method !== "event/file_changed" || !this.element.isConnected || params?.workspace_id !== this.workspace) return;
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.appear(), 400);
  }

  async appear() {
    const { workspace, path } = this;
    if (!workspace || !this.app.isOnline) return;
    try {
      await this.app.workspaces.get(workspace);
      if (workspace !== this.workspace) return;
      this.entitle();
      this.watch("");
      const root = await this.folder("");
      if (workspace !== this.workspace) return;
      const active = /** @type {HTMLElement | null} */ (document.activeElement);
      const key = active && this.tree.contains(active) ? active.dataset.key : undefined;
      this.root = root;
      fill(this.tree, root);
      const again = key && this.tree.querySelector(`[data-key="${CSS.escape(key)}"]`);
      if (again instanceof HTMLElement) again.focus({ preventScroll: true });
      this.tell("");
      if (path) await file(this.app, workspace, path, this.shown);
    } catch (error) {
      if (workspace === this.workspace) this.tell(excuse(error));
    }
  }

  /** Changes in a folder that is looked at are told, and looking ends by itself. @param {string} directory */
  watch(directory) {
    clearInterval(this.watching);
    const seen = () => {
      if (!this.element.isConnected) return clearInterval(this.watching);
      if (!this.app.isOnline || !this.app.features.has("workspace/files/watch")) return;
      for (const one of ["", ...[...(this.unfolded ?? []), directory].slice(-6)].filter((one, index, all) => all.indexOf(one) === index))
        this.app.link.call("workspace/files/watch", { workspace_id: this.workspace, directory: one, seconds: LOOKS }).catch(() => undefined);
    };
    seen();
    this.watching = setInterval(seen, (LOOKS - 10) * 1000);
  }

  /** The entries of a folder, with those of unfolded ones in it. @param {string} directory @param {number} [offset] @returns {Promise<HTMLElement>} */
  async folder(directory, offset = 0) {
    const { directories = [], files = [], pagination } = await this.app.link.call("workspace/files/list", { workspace_id: this.workspace, directory, limit: PAGE, offset });
    const inner = await Promise.all(directories.map((/** @type {any} */ one) => this.directory(one)));
    const list = h("ul.entries", {}, inner, files.map((/** @type {any} */ one) => this.entry(one)));
    if (!inner.length && !files.length && !offset) list.append(h("li.note", {}, "Empty"));
    if (pagination?.has_more) list.append(this.more(directory, offset + (directories.length + files.length || PAGE)));
    return list;
  }

  /** @param {string} directory @param {number} offset */
  more(directory, offset) {
    const item = h("li", {}, h("button.quiet", { type: "button", onclick: async () => {
      try {
        const next = await this.folder(directory, offset);
        item.replaceWith(...next.childNodes);
      } catch (error) {
        this.tell(excuse(error));
      }
    } }, "Show more"));
    return item;
  }

  /** @param {any} entry @returns {Promise<HTMLElement>} */
  async directory({ path, name, file_count, count_partial, is_symlink, is_sensitive }) {
    const inside = h("div.nested-entries");
    const opener = h("button.entry", { type: "button", "aria-expanded": false, "data-key": path, onclick: () => this.unfold(path, opener, inside) },
      icon("right"), icon("folder"), h("span.main", {}, shown(name)), is_sensitive ? h("span.tag", {}, "sensitive") : null, is_symlink ? h("span.tag", {}, "link") : null,
      file_count === undefined || is_symlink ? null : h("small", {}, `${counted(file_count, "file")}${count_partial ? " or more" : ""}`));
    if (this.unfolded?.has(path)) {
      set(opener, "aria-expanded", true);
      fill(inside, await this.folder(path));
    }
    return h("li", {}, opener, inside);
  }

  /** @param {string} path @param {HTMLElement} opener @param {HTMLElement} inside */
  async unfold(path, opener, inside) {
    const isOpen = opener.getAttribute("aria-expanded") === "true";
    set(opener, "aria-expanded", !isOpen);
    if (isOpen) {
      this.unfolded?.delete(path);
      return fill(inside);
    }
    this.unfolded?.add(path);
    this.watch(path);
    fill(inside, h("p.note", {}, "Loading…"));
    try {
      fill(inside, await this.folder(path));
    } catch (error) {
      fill(inside, h("p.note", { role: "alert" }, excuse(error)));
    }
  }

  /** @param {any} entry */
  entry({ path, name, size_bytes, is_sensitive, is_symlink, git_ignored }) {
    const element = h("a.entry", { href: to("files", this.workspace ?? "", path), "data-key": path, "aria-current": path === this.path ? "page" : null },
      icon(is_sensitive ? "lock" : "file"), h("span.main", {}, shown(name)), is_sensitive ? h("span.tag", {}, "sensitive") : null, is_symlink ? h("span.tag", {}, "link") : null,
      size_bytes === undefined ? null : h("small", {}, size(size_bytes)));
    element.classList.toggle("ignored", git_ignored === true);
    return h("li", {}, element);
  }

  /** @param {string} text "" for nothing */
  tell(text) {
    fill(this.note, text && h("p.note", {}, plain(text)));
  }
}

/** @param {unknown} error */
function excuse(error) {
  if (error instanceof RpcError && error.code === METHOD_NOT_FOUND) return "This daemon cannot list files.";
  if (error instanceof RpcError) return `The files cannot be shown: ${error.message.replace(/\.$/, "")}.`;
  return "Offline: the files come when the connection is back.";
}
