import { fill, h, icon } from "../dom.js";
import { scaled } from "../state/scaled.js";

/** Pictures in one prompt; the model looks less closely at each of more. */
const MOST = 8;

/** The pictures that go with the next prompt: a button that takes some from the camera or the library, and what was taken. */
export class Pictures {
  /** @param {import("../state/prompts.js").Prompts} prompts @param {(sentence: string) => void} say @param {() => void} onchange */
  constructor(prompts, say, onchange) {
    this.prompts = prompts;
    this.say = say;
    this.onchange = onchange;
    // Without `capture` a phone offers its camera and its library.
    this.file = h("input", { type: "file", accept: "image/*", multiple: true, hidden: true, onchange: () => this.picked() });
    this.button = h("button.quiet.add", { type: "button", "aria-label": "Add pictures", onclick: () => this.file.click() }, icon("picture"));
    this.element = h("ul.pictures", { "aria-label": "Pictures to send" });
    /** Some are being scaled down. */
    this.isReading = false;
    /** @type {import("../state/scaled.js").Picture[] | undefined} */
    this.laid = undefined;
  }

  picked() {
    const files = [...this.file.files];
    // The same file again is a change only after this.
    this.file.value = "";
    return this.take(files);
  }

  /** One after the other: each takes as much memory as it has pixels. @param {File[]} files */
  async take(files) {
    if (!files.length || this.isReading) return;
    this.read(true);
    this.say("");
    const problems = [];
    for (const file of files) problems.push(await this.add(file).catch((error) => error.message));
    this.say([...new Set(problems.filter(Boolean))].join(" "));
    this.read(false);
  }

  /** @param {File} file @returns {Promise<string>} why it was not taken; "" if it was */
  async add(file) {
    if (this.prompts.pictures.length >= MOST) return `A prompt takes at most ${MOST} pictures.`;
    const picture = await scaled(file);
    return this.prompts.attach(picture) ? "" : `${picture.name} has no room in this prompt. Send the other pictures first.`;
  }

  /** @param {boolean} isReading */
  read(isReading) {
    this.isReading = isReading;
    this.button.disabled = isReading;
    this.onchange();
  }

  lay() {
    const { pictures } = this.prompts;
    if (pictures === this.laid) return;
    this.laid = pictures;
    fill(this.element, pictures.map((picture) => h("li", {}, thumbnail(picture), h("button.quiet", { type: "button", "aria-label": `Remove ${picture.name}`, onclick: () => this.remove(picture) }, icon("close")))));
  }

  /** @param {import("../state/scaled.js").Picture} picture */
  remove(picture) {
    this.prompts.detach(picture);
    this.button.focus({ preventScroll: true });
  }
}

/** @param {import("../state/scaled.js").Picture} picture */
export const thumbnail = ({ media_type, data, name }) => h("img.thumbnail", { src: `data:${media_type};base64,${data}`, alt: name });
