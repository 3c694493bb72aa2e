import { RpcError } from "../net/rpc.js";

/** @typedef {import("./model.js").Card} Card */

/** An answer nobody confirmed is sent again within this time, in milliseconds; later it is asked for anew. */
const LASTS = 60_000;

/**
 * Sends answers and says what became of them. Sending the same decision twice is harmless: the daemon takes the first
 * and repeats its answer to who sent it.
 */
export class Answers {
  /**
   * @param {{ call: (method: string, params: any, patience?: number) => Promise<any> }} link
   * @param {import("./model.js").Model} model @param {(ids: string[]) => void} onchange
   */
  constructor(link, model, onchange) {
    this.link = link;
    this.model = model;
    this.onchange = onchange;
  }

  /** @param {Card} card @param {any} params beside `request_id` */
  async send(card, params) {
    const whole = { request_id: card.id, ...params };
    card.answer = { state: "sending", params: whole };
    this.onchange([card.id]);
    const at = Date.now();
    try {
      this.confirmed(card, await this.link.call("permission/respond", whole, 10_000));
    } catch (error) {
      this.failed(card, error, at);
    }
    this.onchange([card.id]);
  }

  /** Several, each only for itself. @param {Card[]} cards @param {any} params */
  async sendAll(cards, params) {
    const responses = cards.map((card) => ({ request_id: card.id, ...params, scope: "once" }));
    cards.forEach((card, index) => (card.answer = { state: "sending", params: responses[index] }));
    this.onchange(cards.map((card) => card.id));
    const at = Date.now();
    try {
      const { results } = await this.link.call("permission/respond", { responses }, 15_000);
      cards.forEach((card, index) => {
        if (results[index].success) this.confirmed(card, results[index]);
        else this.failed(card, new RpcError(results[index].error), at);
      });
    } catch (error) {
      for (const card of cards) this.failed(card, error, at);
    }
    this.onchange(cards.map((card) => card.id));
  }

  /** @param {Card} card @param {any} receipt */
  confirmed(card, receipt) {
    card.answer = { state: "sent", params: card.answer?.params };
    // With Claude's dialog on the screen too, an event tells which of the two answers it took.
    if (receipt.sent) return;
    const { decision, scope, rules } = receipt;
    this.model.ends({ request_id: card.id, opening: card.opening, decision, scope, rules, mine: true });
  }

  /** @param {Card} card @param {unknown} error @param {number} at */
  failed(card, error, at) {
    const params = card.answer?.params;
    if (!(error instanceof RpcError)) {
      card.answer = { state: "unsure", params, message: "Not confirmed: the connection went." };
      setTimeout(() => this.giveUp(card), Math.max(0, at + LASTS - Date.now()));
    } else if (error.data?.resolved_by) {
      card.answer = undefined;
      this.model.ends({ request_id: card.id, opening: card.opening, ...error.data, late: params?.decision });
    } else {
      card.answer = { state: "refused", params, message: error.message, word: error.data?.confirm?.prompt };
    }
  }

  /** Sends again what nobody confirmed; called once the model is as the daemon has it. */
  resume() {
    for (const card of this.model.openCards)
      if (card.answer?.state === "unsure") {
        const { request_id, ...params } = card.answer.params;
        this.send(card, params);
      }
  }

  /** @param {Card} card */
  giveUp(card) {
    if (card.answer?.state !== "unsure" || card.ending) return;
    card.answer = { state: "refused", params: null, message: "Your answer did not arrive. Answer again." };
    this.onchange([card.id]);
  }
}
