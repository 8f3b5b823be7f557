/** Links within the app. Everything is behind the `#`, so a link carries a whole game and the server never sees it. */

/** @import {Setup} from './types.js' */

/**
 * @typedef {object} Route
 * @property {string} page
 * @property {string[]} rest further parts of the path
 * @property {URLSearchParams} query
 */

/** @returns {Route} */
export function currentRoute() {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [page = '', ...rest] = path.split('/').map(decodeURIComponent);
  return { page, rest, query: new URLSearchParams(query) };
}

/** @param {string} path */
export function go(path) {
  location.hash = `#/${path}`;
}

/**
 * The link to a game on a page such as `analyse`.
 * @param {string} page
 * @param {Setup} setup
 * @param {string} [moves] as `Tree.text` writes them
 * @param {number} [ply] where to stand; at the end without it
 * @param {import('./types.js').Side|null} [side] whose eyes to see it with
 */
export function gamePath(page, setup, moves = '', ply, side) {
  const query = new URLSearchParams();
  if (setup.position) query.set('position', setup.position);
  if (moves) query.set('moves', moves);
  if (ply !== undefined) query.set('ply', String(ply));
  if (side) query.set('side', side);
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%28', '(').replaceAll('%29', ')').replaceAll('%2F', '/');
  return `${page}/${setup.variant}${text ? `?${text}` : ''}`;
}

/**
 * What such a link says.
 * @param {Route} route
 * @returns {{setup: Setup, moves: string, ply: number|null, side: import('./types.js').Side|null}}
 */
export function readGame({ rest, query }) {
  const position = query.get('position');
  /** @type {Setup} */
  const setup = { variant: rest[0] ?? '' };
  if (position) setup.position = position;
  const side = query.get('side');
  return {
    setup, moves: query.get('moves') ?? '', ply: query.has('ply') ? Number(query.get('ply')) : null,
    side: side === 'first' || side === 'second' ? side : null,
  };
}

/** @param {string} path */
export function fullLink(path) {
  return `${location.origin}${location.pathname}#/${path}`;
}
