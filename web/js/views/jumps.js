import { h, icon } from "../dom.js";
import { calls, isError } from "../state/transcript.js";

/** Pixels that the bar at the top covers. */
const BAR = 80;

/** The ways through a transcript: to its newest message, the open request, the next call that failed. */
export class Jumps {
  /** @param {import("./transcript.js").TranscriptView} view that is open for a session */
  constructor(view) {
    this.view = view;
    this.fresh = jump("down", "To the newest", () => this.newest());
    this.error = jump("alert", "To the next error", () => this.nextError());
    this.question = jump("question", "To the open request", () => this.toRequest());
    this.element = h("div.jumps", { role: "group", "aria-label": "Jump" }, this.error, this.question, this.fresh);
    /** The place of the error that was shown last. */
    this.last = -1;
  }

  /** @param {boolean} isCardSeen the answers of a card are on the screen, and a jump would cover them */
  update(isCardSeen) {
    const { thread, transcript, guests } = this.view;
    if (!thread || !transcript || !guests) return;
    const left = transcript.total - thread.to;
    this.question.hidden = !guests.open.length;
    this.error.hidden = !transcript.total;
    this.fresh.hidden = thread.isAtEnd;
    this.fresh.lastChild.textContent = left > 0 ? `${left.toLocaleString()} newer` : "Newest";
    this.element.hidden = Boolean(guests.open.length && isCardSeen);
  }

  async newest() {
    const { thread, transcript } = this.view;
    if (!thread || !transcript) return;
    if (thread.to < transcript.total) await this.view.attempt(() => thread.showNewest());
    else thread.toEnd();
  }

  toRequest() {
    const [id] = this.view.guests?.open ?? [];
    if (id) this.view.guests?.show(id);
  }

  /** From what is on the screen on; behind the last one, from the beginning. */
  nextError() {
    const { view } = this;
    const { thread, transcript } = view;
    if (!thread || !transcript) return;
    return view.attempt(async () => {
      view.tell("Looking for an error…");
      const from = Math.max(this.last, firstSeen(thread) - 1) + 1;
      let place = await transcript.find(from, 1, isError);
      if (place < 0 && from > 0) place = await transcript.find(0, 1, isError);
      if (transcript !== view.transcript) return;
      view.tell(place < 0 ? "No call of this session failed." : "");
      if (place < 0) return;
      this.last = place;
      const [found] = await transcript.range(place, place + 1);
      const block = found.message?.content.find((/** @type {any} */ one) => one.is_error === true);
      await this.reveal(String(block?.tool_use_id ?? ""), place);
    });
  }

  /** Shows a call, or a message by its number. @param {string} id `at 5`, or of the call @param {number} [near] the place of its result */
  async reveal(id, near) {
    const { thread, transcript, app } = this.view;
    if (!thread || !transcript || !id) return;
    const number = /^at (\d+)$/.exec(id);
    if (number) return showMessage(thread, Number(number[1]) - 1);
    if (!thread.calls.views.has(id)) {
      const isAsked = app.features.has("workspace/session/messages", "tool_use_id");
      const place = near === undefined || isAsked ? await transcript.place(id, isAsked) : await transcript.find(near, -1, calls(id));
      if (place < 0) return this.view.tell("That call is not in the transcript yet.");
      await thread.showPlace(place);
    }
    showCall(thread, id);
  }
}

/** The place of the first message on the screen. @param {import("./thread.js").Thread} thread */
function firstSeen({ messages, from }) {
  const seen = messages.find((element) => element.getBoundingClientRect().bottom > BAR);
  return Number(seen?.dataset.place ?? from);
}

/** Shows the message at that place, or the one before it: the result of a call stands in the call. @param {import("./thread.js").Thread} thread @param {number} place */
async function showMessage(thread, place) {
  await thread.showPlace(place);
  const found = thread.messages.findLast((element) => Number(element.dataset.place) <= place);
  found?.scrollIntoView({ block: "start", behavior: "instant" });
  found?.classList.add("found");
}

/** Shows a call that is laid out, unfolded. @param {import("./thread.js").Thread} thread @param {string} id */
function showCall(thread, id) {
  const call = thread.calls.views.get(id);
  if (!call) return;
  call.element.open = true;
  call.lay();
  call.element.scrollIntoView({ block: "start", behavior: "instant" });
  call.element.querySelector("summary")?.focus({ preventScroll: true });
}

/** @param {any} drawing @param {string} name @param {() => void} onclick */
function jump(drawing, name, onclick) {
  const label = name.replace(/^To the /, "");
  return h("button.jump", { type: "button", "aria-label": name, hidden: true, onclick }, icon(drawing), h("span", {}, label[0].toUpperCase() + label.slice(1)));
}
