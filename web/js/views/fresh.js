import { fill, h } from "../dom.js";
import { keep } from "../net/vault.js";
import { USUAL, offered } from "../state/offered.js";
import { keyOf, uuid } from "../state/prompt.js";
import { refusal } from "../state/run.js";
import { to } from "../text/address.js";
import { plain } from "../text/characters.js";
import { MODES } from "../text/runs.js";

/** Milliseconds: the daemon answers once the process was started. */
const LONG = 30_000;

/** What was typed for a session that was not started after all. */
let typed = "";

/** Whether this device may start sessions here. @param {import("../app.js").App} app */
export const canStart = async (app) => app.features.has("session/start") && (await app.workspaces.mayDrive());

/** Asks for what a new session begins with, starts it, and shows its transcript. @param {import("../app.js").App} app */
export function startFresh(app) {
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  const workspace = choice("Project", app.workspaces.list.map(({ id, name, path }) => [id, `${plain(name)} (${plain(path)})`]));
  const mode = choice("Mode", MODES);
  const model = modelChoice(app);
  const prompt = h("textarea", { rows: 4, placeholder: "What to do first", oninput: () => (typed = prompt.value) });
  prompt.value = typed;
  const problem = h("p.note", { role: "alert" });
  const submit = h("button.allow", { type: "submit" }, "Start");
  const dialog = h("dialog.sheet", { "aria-labelledby": "fresh-title", onclose: () => {
    dialog.remove();
    if (before?.isConnected) before.focus({ preventScroll: true });
  } }, h("form.fresh-session", { onsubmit: async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (submit.disabled) return;
    submit.disabled = true;
    fill(problem);
    try {
      const started = await start(app, { workspace_id: workspace.select.value, permission_mode: mode.select.value, ...model.params }, prompt.value.trim());
      typed = "";
      dialog.close();
      location.hash = to("transcript", started.workspace_id, started.claude_session_id);
    } catch (error) {
      fill(problem, plain(refusal("Starting", error)), error instanceof Error && "code" in error ? null : " Look in the list of sessions before you start it again.");
    }
    submit.disabled = false;
  } }, h("h2", { id: "fresh-title" }, "New session"), workspace.element, mode.element, model.element, h("label.labelled", {}, "First prompt", prompt), problem,
  h("div.answers", {}, h("button.other", { type: "button", onclick: () => dialog.close() }, "Cancel"), submit)));
  document.body.append(dialog);
  dialog.showModal();
  prompt.focus();
}

/** @param {string} label @param {[string, string][]} options value and text */
function choice(label, options) {
  const select = h("select", {}, options.map(([value, text]) => h("option", { value }, text)));
  return { select, element: h("label.labelled", {}, label, select) };
}

/** The models that an agent told of; before one did, its own choice. @param {import("../app.js").App} app */
function modelChoice(app) {
  const model = choice("Model", []);
  const about = h("p.note", { id: "model-about" });
  model.select.setAttribute("aria-describedby", "model-about");
  model.element.hidden = !app.features.has("session/options");
  const lay = (/** @type {import("../state/offered.js").Model[]} */ models) => {
    const before = model.select.value || USUAL.value;
    fill(model.select, models.map(({ value, name }) => h("option", { value, selected: value === before }, plain(name))));
    model.select.onchange = () => fill(about, plain(models.find(({ value }) => value === model.select.value)?.description ?? ""));
    model.select.onchange();
  };
  lay([USUAL]);
  offered(app).then(({ models }) => models.length && lay(models));
  return { element: [model.element, about], get params() {
    return model.select.value === USUAL.value ? {} : { model: model.select.value };
  } };
}

/** @param {import("../app.js").App} app @param {any} order @param {string} prompt */
async function start(app, order, prompt) {
  const id = uuid();
  const started = await app.link.call("session/start", { ...order, ...(prompt ? { prompt, prompt_id: id } : {}) }, LONG);
  // It is shown as sent until the transcript has it. Without storage it only comes later.
  if (prompt) await keep(keyOf(started.claude_session_id), { draft: "", list: [{ id, text: prompt, at: Date.now(), step: "sent" }] }).catch(() => undefined);
  return started;
}

/**
 * Goes on in a conversation of the past, or in a copy of it.
 * @param {import("../app.js").App} app @param {string} workspace @param {string} conversation @param {boolean} isCopy @returns {Promise<any>} the session
 */
export const resume = (app, workspace, conversation, isCopy) =>
  app.link.call("session/start", { workspace_id: workspace, resume_session_id: conversation, ...(isCopy ? { fork: true } : {}) }, LONG);
