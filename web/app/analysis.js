/** One running analysis: what is asked is asked again when the connection comes back. */
import { Live } from './api.js';

/** @import {Info, Setup} from './types.js' */

/**
 * @typedef {object} Question
 * @property {Setup} setup
 * @property {string[]} moves
 * @property {number} lines
 * @property {string[]} [only]
 * @property {boolean} [threats]
 * @property {{depth?: number, nodes?: number, time_ms?: number}} limits
 */

export class Analysis {
  /** @type {Live|null} */
  #live = null;
  /** @type {Question|null} */
  #question = null;
  #number = 0;

  /**
   * @param {(info: Info) => void} heard
   * @param {(error: string|null) => void} ended with the reason, when it failed
   */
  constructor(heard, ended) {
    this.heard = heard;
    this.ended = ended;
  }

  /** @param {Question} question */
  ask(question) {
    this.#question = question;
    this.#number++;
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
    // What still comes of an older question is of no interest.
    if (!this.#question || (message.id !== undefined && message.id !== null && message.id !== this.#number)) return;
    if (message.type === 'info') this.heard(message);
    else if (message.type === 'done') this.ended(null);
    else if (message.type === 'error') this.ended(message.error);
  }
}
