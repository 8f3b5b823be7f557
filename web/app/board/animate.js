/** Pieces appear, vanish, fall, slide and flip; all at once for people who prefer reduced motion. */

/** @import {BoardLook} from '../types.js' */
/** @import {Geometry} from './geometry.js' */

/** @typedef {{cell: number, old: SVGGElement|null, now: SVGGElement|null}} Change */

/**
 * @param {Change[]} changes
 * @param {Geometry} geometry
 * @param {BoardLook['surface']} surface
 * @param {number[]|null} last the cells of the last move, or null when nothing should move
 */
export function animate(changes, geometry, surface, last) {
  const still = last === null || changes.length > 40 || matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (still) {
    for (const { old } of changes) old?.remove();
    return;
  }
  const gone = changes.filter(({ old, now }) => old && !now);
  for (const change of changes) {
    const { cell, old, now } = change;
    const inner = /** @type {SVGGElement|null} */ (now?.firstElementChild ?? null);
    const source = now && !old ? gone.find((one) => one.old?.dataset['code'] === now.dataset['code']) : undefined;
    if (now && old && now.dataset['code']?.length === 1) turn(old, inner);
    else if (now && (source || old)) {
      // A chess piece slides from its old square; a captured piece vanishes at once.
      const from = source ?? gone.find((one) => one.old?.dataset['code'] === now.dataset['code']);
      if (from) slide(inner, geometry, from.cell, cell);
      from?.old?.remove();
      old?.remove();
    } else if (now && surface === 'columns') fall(inner, geometry, cell);
    else if (now) inner?.animate([{ transform: 'scale(1.25)', opacity: 0.3 }, { transform: 'none', opacity: 1 }], { duration: 140, easing: 'ease-out' });
    else if (old) leave(old);
  }
}

/** @param {SVGGElement|null} piece @param {Geometry} geometry @param {number} from @param {number} to */
function slide(piece, geometry, from, to) {
  const [start, end] = [geometry.centre(from), geometry.centre(to)];
  piece?.animate([{ transform: `translate(${start.x - end.x}px, ${start.y - end.y}px)` }, { transform: 'none' }], { duration: 180, easing: 'ease-out' });
}

/** @param {SVGGElement|null} piece @param {Geometry} geometry @param {number} cell */
function fall(piece, geometry, cell) {
  const { y } = geometry.centre(cell);
  piece?.animate([{ transform: `translate(0, ${-y - 40}px)` }, { transform: 'none' }], { duration: 120 + y * 0.35, easing: 'cubic-bezier(.5,0,.9,.6)' });
}

/** A disc turned over. @param {SVGGElement} old @param {SVGGElement|null} now */
function turn(old, now) {
  const inner = /** @type {SVGGElement|null} */ (old.firstElementChild);
  const closing = inner?.animate([{ transform: 'none' }, { transform: 'scale(0.05, 1)' }], { duration: 130, easing: 'ease-in' });
  now?.animate([{ transform: 'scale(0, 1)' }, { transform: 'scale(0.05, 1)', offset: 0.5 }, { transform: 'none' }], { duration: 260, easing: 'ease-out' });
  if (closing) closing.onfinish = () => old.remove();
  else old.remove();
}

/** A captured piece shrinks away. @param {SVGGElement} old */
function leave(old) {
  const inner = old.firstElementChild;
  const leaving = inner?.animate([{ transform: 'none', opacity: 1 }, { transform: 'scale(1.2)', opacity: 0.8, offset: 0.3 }, { transform: 'scale(0.2)', opacity: 0 }], { duration: 320, easing: 'ease-in' });
  if (leaving) leaving.onfinish = () => old.remove();
  else old.remove();
}
