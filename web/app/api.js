/** The server: requests, live connections, and a cache of answers. */

/** @import {BookMove, Refusal, Setup, Variant, View} from './types.js' */

/** The server refuses, or does not answer (status 0). */
export class ApiError extends Error {
  /** @param {number} status @param {Refusal} refusal */
  constructor(status, refusal) {
    super(refusal.message);
    this.status = status;
    this.refusal = refusal;
  }
}

/** A message from somebody else than our server: a proxy, the browser. @param {string} message @returns {Refusal} */
const unknown = (message) => ({ code: '', args: {}, message });

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {string} [token] of a seat
 * @returns {Promise<any>}
 */
async function request(method, path, body, token) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (body !== undefined) headers['content-type'] = 'application/json';
  const bearer = token || operatorToken();
  if (bearer) headers['authorization'] = `Bearer ${bearer}`;
  let answer;
  try {
    answer = await fetch(`/api/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError(0, unknown(''));
  }
  // An exported game may look like JSON, but is sent as text.
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  const value = isJson ? await answer.json().catch(() => null) : await answer.text();
  if (!answer.ok) throw new ApiError(answer.status, value?.code ? value : unknown(answer.statusText));
  return value;
}

/** @param {string} path */
export const get = (path) => request('GET', path);
/** @param {string} path @param {unknown} [body] @param {string} [token] */
export const post = (path, body, token) => request('POST', path, body ?? {}, token);
/** @param {string} path @param {unknown} body */
export const put = (path, body) => request('PUT', path, body);
/** @param {string} path */
export const remove = (path) => request('DELETE', path);

const OPERATOR = 'polyply.operator';

/** The operator token of an exposed server, if this browser has one. */
export function operatorToken() {
  return localStorage.getItem(OPERATOR) ?? '';
}

/** What this browser may do here: everything, or only what is open to all. */
let access = { operator: true, exposed: false };

/** Asks what this browser may do. */
export async function loadAccess() {
  access = await get('access');
}

/** Keeps the operator token, and finds out whether it is the right one. @param {string} token */
export async function keepOperatorToken(token) {
  localStorage.setItem(OPERATOR, token);
  await loadAccess();
  return access.operator;
}

/** This browser may do everything. */
export const isOperator = () => access.operator;
/** Others reach the server, and its operator has a token. */
export const isExposed = () => access.exposed;

/** @type {Variant[]} */
let variants = [];
/** Variants of other sizes and rules than the usual ones. @type {Map<string, Variant>} */
const others = new Map();

/** Loads the variants. */
export async function loadVariants() {
  variants = await get('variants');
}

/**
 * Loads a variant with its size and rules, so that `variantOf` knows it.
 * @param {string} name
 */
export async function loadVariant(name) {
  if (variants.some((one) => one.name === name) || others.has(name)) return;
  others.set(name, await get(`variants/${encodeURIComponent(name)}`));
}

/** The variants that were loaded at the start. */
export function allVariants() {
  return variants;
}

/**
 * A variant by name. One that was not loaded with its size and rules comes with the usual ones.
 * @param {string} name
 * @returns {Variant}
 */
export function variantOf(name) {
  const variant = others.get(name) ?? variants.find((one) => one.name === plainName(name));
  if (!variant) throw new ApiError(404, unknown(name));
  return variant;
}

/** The name of a variant without its size and rules. @param {string} name */
export function plainName(name) {
  return name.split(/[:,]/)[0] ?? '';
}

/** @type {Map<string, Promise<View>>} */
const views = new Map();

/**
 * The position after some moves. Answers are cached, for people go back and forth.
 * @param {Setup} setup
 * @param {string[]} moves
 * @returns {Promise<View>}
 */
export function viewAt(setup, moves) {
  const body = { ...setup, moves };
  const key = JSON.stringify(body);
  const known = views.get(key);
  if (known) return known;
  if (views.size > 2000) views.clear();
  const asked = post('positions', body);
  views.set(key, asked);
  asked.catch(() => views.delete(key));
  return asked;
}

/**
 * What the opening book knows of the position after some moves.
 * @param {Setup} setup
 * @param {string[]} moves
 * @returns {Promise<BookMove[]>}
 */
export const bookAt = (setup, moves) => post('positions/book', { ...setup, moves });

/**
 * A connection that reconnects after growing pauses until it is closed.
 */
export class Live {
  /** @type {WebSocket|null} */
  #socket = null;
  #closed = false;
  #pause = 250;

  /**
   * @param {string} path
   * @param {(message: any) => void} heard
   * @param {(open: boolean) => void} [changed]
   */
  constructor(path, heard, changed) {
    /** Tokens that say who is here, shown at every connection. @type {Set<string>} */
    this.greetings = new Set();
    this.path = path;
    this.heard = heard;
    this.changed = changed;
    this.#connect();
  }

  #connect() {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    // A WebSocket can't send other headers than the protocols it wishes for.
    const token = operatorToken();
    const socket = new WebSocket(`${scheme}://${location.host}/api/${this.path}`, token ? ['polyply-operator', token] : []);
    this.#socket = socket;
    socket.onopen = () => {
      this.#pause = 250;
      for (const text of this.greetings) this.send({ token: text });
      this.changed?.(true);
    };
    socket.onmessage = (event) => this.heard(JSON.parse(event.data));
    socket.onclose = () => {
      if (this.#closed) return;
      this.changed?.(false);
      setTimeout(() => !this.#closed && this.#connect(), this.#pause);
      this.#pause = Math.min(this.#pause * 2, 4000);
    };
  }

  /** @param {unknown} message */
  send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Says whose seat this is. @param {string} token */
  greet(token) {
    if (this.greetings.has(token)) return;
    this.greetings.add(token);
    this.send({ token });
  }

  close() {
    this.#closed = true;
    this.#socket?.close();
  }
}

const SEATS = 'polyply.seats';

/** @typedef {{first?: string, second?: string, owner?: string}} Seats tokens by side, and of who began a game between engines */

/**
 * The seats this browser holds in a game.
 * @param {string} game
 * @returns {Seats}
 */
export function seatsOf(game) {
  return readSeats()[game] ?? {};
}

/** @param {string} game @param {Seats} tokens */
export function keepSeats(game, tokens) {
  const seats = readSeats();
  seats[game] = { ...seats[game], ...tokens };
  // The oldest are dropped, so that the storage never fills up.
  const kept = Object.entries(seats).slice(-300);
  localStorage.setItem(SEATS, JSON.stringify(Object.fromEntries(kept)));
}

/** @returns {Record<string, Seats>} */
function readSeats() {
  try {
    return JSON.parse(localStorage.getItem(SEATS) ?? '{}');
  } catch {
    return {};
  }
}
