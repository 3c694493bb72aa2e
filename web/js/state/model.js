/**
 * What the daemon has asked, and how it ended: values only, so that any order of events is a plain call.
 *
 * @typedef {object} Card
 * @property {string} id the `request_id`
 * @property {number} opening a card that timed out is opened again under the same id with the next number
 * @property {any} data parameters of `event/pty_permission`
 * @property {any} [ending] parameters of `event/pty_permission_resolved`, or what is known of it
 * @property {Answer} [answer] what was sent from here
 *
 * @typedef {object} Answer
 * @property {"sending" | "sent" | "unsure" | "refused"} state `unsure`: the connection went before the daemon said so
 * @property {any} params as they were sent
 * @property {string} [message] for the person
 * @property {string} [word] that the daemon wants with the allow
 *
 * @typedef {{ opened: string[], ended: string[] }} Change
 */

/** So many ends are remembered, against news that comes late. */
const REMEMBERED = 2000;

export class Model {
  constructor() {
    /** Open ones, and those that ended but are still shown. @type {Map<string, Card>} */
    this.cards = new Map();
    /** The last opening of each id that has ended. @type {Map<string, number>} */
    this.ended = new Map();
    /** The last event of the daemon that was taken in. */
    this.sequence = 0;
  }

  /** @param {string} id @returns {Card | null} */
  open(id) {
    const card = this.cards.get(id);
    return card && !card.ending ? card : null;
  }

  get openCards() {
    return [...this.cards.values()].filter((card) => !card.ending);
  }

  /** @param {import("../net/rpc.js").Notification} event @returns {Change} */
  take({ method, params }) {
    if (method === "event/pty_permission") return change(this.opens(params));
    if (method === "event/pty_permission_resolved") return change(null, this.ends(params));
    return change();
  }

  /** @param {any} data @returns {string | null} the id, if it was news */
  opens(data) {
    const id = data.request_id;
    const opening = data.opening ?? 1;
    const known = this.cards.get(id);
    if (opening <= (this.ended.get(id) ?? 0) || (known && !known.ending && known.opening >= opening)) return null;
    this.cards.set(id, { id, opening, data });
    return id;
  }

  /** @param {any} ending @returns {string | null} the id, if a card was open */
  ends(ending) {
    const id = ending.request_id;
    const card = this.cards.get(id);
    const opening = ending.opening ?? card?.opening ?? 1;
    if (!ending.guess) this.remember(id, opening);
    if (!card || opening < card.opening) return null;
    // What the daemon says replaces what was only gathered from its silence.
    if (card.ending && !card.ending.guess && !ending.corrects) {
      // The event came before the answer to our own call, which tells who was first.
      if (!ending.mine && !ending.late) return null;
      card.ending = { ...card.ending, mine: ending.mine, late: ending.late };
      return id;
    }
    card.ending = { ...ending, mine: card.ending?.mine ?? ending.mine ?? card.answer?.state === "sent" };
    return id;
  }

  /** @param {string} id @param {number} opening */
  remember(id, opening) {
    this.ended.delete(id);
    this.ended.set(id, opening);
    if (this.ended.size > REMEMBERED) this.ended.delete(this.ended.keys().next().value ?? "");
  }

  /**
   * Takes in the whole list of what is open. What was open here before the list was asked for and is not in it has
   * ended; what came by event meanwhile may be younger than the list.
   * @param {Set<string>} before ids that were open when the list was asked for
   * @param {any[]} list @returns {Change}
   */
  reconcile(before, list) {
    const listed = new Set(list.map((data) => data.request_id));
    const opened = list.map((data) => this.opens(data)).filter((id) => id !== null);
    const missing = [...before].filter((id) => !listed.has(id) && this.open(id));
    for (const id of missing) this.ends({ request_id: id, guess: true, opening: this.cards.get(id)?.opening });
    return { opened, ended: missing };
  }

  /** The whole of a card that came cut. @param {any} data @returns {boolean} whether it is still that card */
  completes(data) {
    const card = this.open(data.request_id);
    if (!card || card.opening !== (data.opening ?? 1)) return false;
    card.data = data;
    return true;
  }

  /** Forgets what is no longer shown. @param {string} id */
  drop(id) {
    if (this.cards.get(id)?.ending) this.cards.delete(id);
  }
}

/** @param {string | null} [opened] @param {string | null} [ended] @returns {Change} */
function change(opened, ended) {
  return { opened: opened ? [opened] : [], ended: ended ? [ended] : [] };
}

/** Session by session: the one with the soonest deadline first. @param {Card[]} cards @returns {Card[]} */
export function grouped(cards) {
  /** @type {Map<string, Card[]>} */
  const sessions = new Map();
  for (const card of cards.toSorted(bySoonest)) sessions.set(card.data.session_id, [...(sessions.get(card.data.session_id) ?? []), card]);
  return [...sessions.values()].flat();
}

/** The soonest deadline first; many share one, and stand as they came. @param {Card} a @param {Card} b */
export function bySoonest(a, b) {
  return Date.parse(a.data.deadline) - Date.parse(b.data.deadline) || Date.parse(a.data.created_at) - Date.parse(b.data.created_at);
}
