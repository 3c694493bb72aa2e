import { fill, h, icon } from "../dom.js";
import { plain } from "../text/characters.js";
import { shown } from "./text.js";

/** With more than these, a field finds one of them. */
const MANY = 8;

/**
 * The branches, from which one is chosen.
 * @param {import("../state/repository.js").Repository} repository @param {boolean} may switch
 * @param {(branch: string, create: boolean) => void} onchoose
 */
export async function branches(repository, may, onchoose) {
  const list = h("div.branch-list");
  const field = h("input", { type: "search", placeholder: "Find a branch", "aria-label": "Find a branch", autocomplete: "off", oninput: () => lay() });
  const name = h("input", { type: "text", placeholder: "new-branch", "aria-label": "Name of a new branch", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  const fresh = h("form.fresh-branch", { hidden: !may, onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    if (name.value.trim()) choose(name.value.trim(), true);
  } }, name, h("button.session", { type: "submit" }, "Create"));
  const dialog = h("dialog.sheet", { "aria-labelledby": "branches-title", onclose: () => dialog.remove() }, h("h2", { id: "branches-title" }, "Branches"), field, list, fresh,
    h("button.other", { type: "button", onclick: () => dialog.close() }, "Close"));
  const choose = (/** @type {string} */ branch, /** @type {boolean} */ create) => {
    dialog.close();
    onchoose(branch, create);
  };
  /** @type {any[]} */
  let all = [];
  const lay = () => {
    const wanted = field.value.trim().toLowerCase();
    const found = all.filter((branch) => branch.name.toLowerCase().includes(wanted));
    fill(list, found.slice(0, 200).map((branch) => row(branch)), found.length ? null : h("p.note", {}, "No branch is called so."));
  };
  const row = (/** @type {any} */ { name: branch, is_current, is_remote, upstream }) => {
    const inner = [icon(is_current ? "check" : "branch"), h("span.main", {}, h("span", {}, shown(branch)), is_current || is_remote || upstream ? h("span.line", {}, shown(is_current ? "Here now" : is_remote ? "On the remote" : `Follows ${upstream}`)) : null)];
    return may && !is_current ? h("button.branch-row", { type: "button", "aria-label": `Switch to ${plain(branch)}`, onclick: () => choose(branch, false) }, inner)
      : h("div.branch-row", {}, inner);
  };
  fill(list, h("p.note", {}, "Loading…"));
  document.body.append(dialog);
  dialog.showModal();
  try {
    all = (await repository.call("branches")).branches ?? [];
    field.hidden = all.length <= MANY;
    lay();
  } catch (error) {
    fill(list, h("p.note", {}, plain(`The branches cannot be listed: ${error instanceof Error ? error.message : error}.`)));
  }
}
