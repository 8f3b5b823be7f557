/** One running analysis. The question is sent again when the connection comes back. */
import { ApiError, Live } from './api.js';

/** @import {Info, Line, Setup} from './types.js' */

/**
 * @typedef {object} Question
 * @property {Setup} setup
 * @property {string[]} moves
 * @property {number} lines
 * @property {string[]} [only]
 * @property {boolean} [threats]
 * @property {{depth?: number, nodes?: number, time_ms?: number}} limits
 */

/** @type {Info} */
const NOTHING = { depth: 0, seldepth: 0, nodes: 0, nps: 0, time_ms: 0, hashfull: 0, stage: '', lines: [] };

export class Analysis {
  /** @type {Live|null} */
  #live = null;
  /** @type {Question|null} */
  #question = null;
  #number = 0;
  /** @type {Info|null} */
  #last = null;

  /**
   * @param {(info: Info) => void} heard
   * @param {(error: ApiError|null) => void} ended with the reason, when it failed
   */
  constructor(heard, ended) {
    this.heard = heard;
    this.ended = ended;
  }

  /** @param {Question} question */
  ask(question) {
    this.#question = question;
    this.#number++;
    this.#last = null;
    if (this.#live) this.#send();
    else {
      this.#live = new Live('analysis', (message) => this.#hear(message), (open) => open && this.#send());
    }
  }

  stop() {
    this.#question = null;
    this.#live?.send({ type: 'stop' });
  }

  close() {
    this.#live?.close();
    this.#live = null;
  }

  #send() {
    if (!this.#question) return;
    const { setup, ...rest } = this.#question;
    this.#live?.send({ type: 'analyse', id: this.#number, ...setup, ...rest });
  }

  /** @param {any} message */
  #hear(message) {
    // Events of an older question are ignored.
    if (!this.#question || message.id !== this.#number) return;
    if (message.type === 'info') {
      this.#last = { ...message, lines: distinct(message.lines) };
      this.heard(/** @type {Info} */ (this.#last));
    }
    else if (message.type === 'done') {
      // A stage may answer before the search has reported anything.
      if (this.#last || message.lines.length > 0) this.heard({ ...(this.#last ?? NOTHING), lines: distinct(message.lines) });
      this.ended(null);
    }
    else if (message.type === 'error') this.ended(new ApiError(422, message));
  }
}

/**
 * In the middle of an iteration a move can be in two lines, an old one and a new one. The deeper one counts.
 * @param {Line[]} lines
 */
function distinct(lines) {
  return lines.filter((line, at) =>
    !lines.some((other, place) => place !== at && other.moves[0] === line.moves[0] && (other.depth > line.depth || (other.depth === line.depth && place < at))));
}
