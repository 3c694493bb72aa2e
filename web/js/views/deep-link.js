/** Shows the card that an address or a notification is about. */
export class DeepLink {
  /** @param {import("./requests.js").RequestsView} view */
  constructor(view) {
    this.view = view;
    /** To be shown once it is known what is open. @type {string | null} */
    this.wanted = null;
  }

  /** What is open is known only once the daemon has said so. @param {string} id */
  reveal(id) {
    this.wanted = id;
    if (this.view.app.isOnline) this.caughtUp();
  }

  /** Everything that is open is known now. */
  caughtUp() {
    const { app, element, views } = this.view;
    const id = this.wanted;
    this.wanted = null;
    if (!id || !element.isConnected) return;
    // Behind what is said of the cards that are there: it would not be heard before them.
    if (!app.model.open(id)) return app.details.last.then(() => app.say("That request is not open any more."));
    // It may be held, be of another session than the chosen one, or wait for its preview still.
    if (!app.deck.order.includes(id)) this.view.gather();
    this.view.turn(Math.floor((Math.max(0, app.deck.order.indexOf(id)) - app.deck.start) / 40));
    const card = views.get(id)?.element;
    if (!card) return;
    card.scrollIntoView({ block: "start" });
    card.focus({ preventScroll: true });
  }
}
