import { Socket } from "./socket.js";
import { access } from "./tokens.js";

/** Without WebSocket, one is tried for again after so many milliseconds. */
const AGAIN = 60_000;

/** Why there is no WebSocket. A browser tells nobody; this is what it comes from. */
export function explanation() {
  const why = "No WebSocket gets through, so the page asks for news again and again.";
  return location.protocol === "https:"
    ? `${why} Either something between here and the computer blocks it, or this device does not trust the certificate: one that was only clicked past is not enough.`
    : `${why} Something between here and the computer blocks it.`;
}

/** Tries from time to time whether a WebSocket gets through by now; what is there meanwhile goes on until one does. */
export class Probe {
  /** @param {() => void} onfound */
  constructor(onfound) {
    this.onfound = onfound;
    this.turn = 0;
  }

  start() {
    this.stop();
    const turn = this.turn;
    this.timer = setTimeout(() => this.knock(turn), AGAIN);
  }

  stop() {
    this.turn += 1;
    clearTimeout(this.timer);
  }

  /** @param {number} turn */
  async knock(turn) {
    const token = await access().catch(() => null);
    if (turn !== this.turn) return;
    if (!token) return this.start();
    const socket = new Socket(token, {
      onopen: () => {
        socket.close();
        if (turn === this.turn) this.onfound();
      },
      onevent: () => undefined,
      onclose: ({ opened }) => opened || turn !== this.turn || this.start(),
    });
  }
}
