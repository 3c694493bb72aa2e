/**
 * What this daemon can do. The page and the daemon come in one binary, but a page may have been open over an update.
 */
export class Features {
  constructor() {
    /** Method to its parameters. @type {Map<string, Set<string>>} */
    this.methods = new Map();
  }

  /** @param {any} document as `rpc.discover` gives it */
  learn(document) {
    this.methods = new Map((document.methods ?? []).map((/** @type {any} */ method) => [
      method.name, new Set((method.params ?? []).map((/** @type {any} */ parameter) => parameter.name)),
    ]));
  }

  /** @param {string} method @param {string} [parameter] */
  has(method, parameter) {
    const parameters = this.methods.get(method);
    return !!parameters && (!parameter || parameters.has(parameter));
  }
}
