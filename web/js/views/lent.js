/** @typedef {import("./card.js").CardView} CardView */

/** The cards of requests that stand in another view meanwhile: one request has one card, wherever it is. */
export class Lent {
  /** @param {import("./requests.js").RequestsView} view */
  constructor(view) {
    this.view = view;
    /** @type {Map<string, CardView>} */
    this.cards = new Map();
    /** That other view's part with the cards. @type {import("./guests.js").Guests | null} */
    this.guests = null;
  }

  /** The card, wherever it stands. @param {string} id */
  find(id) {
    return this.cards.get(id) ?? this.view.views.get(id);
  }

  /** The places among which the card stands. @param {string} id */
  table(id) {
    return this.cards.has(id) ? this.guests?.table : this.view.table;
  }

  /** The card for the other view, which has it until all of them are taken back. @param {string} id @returns {CardView | null} */
  lend(id) {
    const { app, batch, views } = this.view;
    batch.drop(id);
    views.delete(id);
    const card = this.view.build(id);
    if (!card) return null;
    this.cards.set(id, card);
    card.update(app.isOnline, app.mayAnswer);
    card.tick(app.now);
    return card;
  }

  /** @param {string} id of a lent card whose place was cleared */
  returned(id) {
    this.cards.delete(id);
    this.view.app.deck.sweep(id);
    this.view.app.gate.gone(id);
  }

  takeBack() {
    this.guests = null;
    for (const id of [...this.cards.keys()]) {
      this.cards.delete(id);
      this.view.app.deck.sweep(id);
    }
    this.view.refresh();
  }
}
