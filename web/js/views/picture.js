import { h } from "../dom.js";

/** What a browser draws without running any of it. */
const KINDS = new Set(["image/gif", "image/jpeg", "image/png", "image/webp"]);

/**
 * A picture that came with the message itself: none is fetched from anywhere. Its box has its height before the picture is
 * decoded, so that nothing moves by it.
 * @param {any} block `image` of a message
 */
export function picture(block) {
  const { type, media_type, data } = block.source ?? {};
  if (type !== "base64") return h("p.note", {}, "A picture from elsewhere, which is not fetched.");
  return drawn(media_type, data, "Picture in the conversation");
}

/** @param {string} kind @param {string} data base64 @param {string} name */
export function drawn(kind, data, name) {
  if (!KINDS.has(kind) || typeof data !== "string" || !/^[A-Za-z0-9+/=\s]*$/.test(data)) return h("p.note", {}, "A picture of a kind that is not shown.");
  const image = h("img", { src: `data:${kind};base64,${data}`, alt: name, decoding: "async" });
  const box = h("button.picture", { type: "button", "aria-pressed": false, "aria-label": `${name}: show it whole`, onclick: () => {
    box.setAttribute("aria-pressed", String(box.classList.toggle("whole")));
  } }, image);
  return box;
}
