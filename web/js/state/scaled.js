import { plain } from "../text/characters.js";

/** @typedef {{ media_type: string, data: string, name: string }} Picture `data` is base64 */

/** Pixels of the longer side: of more the model sees no more. */
const LONGEST = 1568;
/** Base64 digits of a PNG; a larger one, as of a photo, is sent as a JPEG. */
const ROOM = 1 << 20;
/** Bytes of a file; a phone's memory may not hold what is in a larger one. */
const MOST = 64 << 20;
const QUALITY = 0.85;

/**
 * The picture in a file as it is sent. It is always drawn anew, which also leaves out what a camera writes beside it, such as
 * the place. The message of an error is for the person.
 * @param {File} file @returns {Promise<Picture>}
 */
export async function scaled(file) {
  const name = plain(file.name || "Picture");
  if (file.size > MOST) throw new Error(`${name} is larger than 64 MB and cannot be sent.`);
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) throw new Error(`${name} is not a picture that this browser can read.`);
  try {
    return { ...encoded(bitmap, file.type === "image/jpeg"), name };
  } finally {
    bitmap.close();
  }
}

/** @param {ImageBitmap} bitmap @param {boolean} isPhoto it has no transparent parts */
function encoded(bitmap, isPhoto) {
  const png = isPhoto ? "" : drawn(bitmap, "image/png");
  const url = png && png.length <= ROOM ? png : drawn(bitmap, "image/jpeg");
  const [, media_type, data] = /^data:([^;]+);base64,(.+)$/.exec(url) ?? [];
  // A browser that has no memory for it draws nothing and says nothing.
  if (!data) throw new Error("This browser could not scale the picture down.");
  return { media_type, data };
}

/** @param {ImageBitmap} bitmap @param {string} type @returns {string} a `data:` URL */
function drawn(bitmap, type) {
  const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (!context) return "";
  context.imageSmoothingQuality = "high";
  if (type === "image/jpeg") {
    // Transparent parts would become black.
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL(type, QUALITY);
}
