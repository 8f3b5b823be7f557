/** An enlarged part of the board above the finger, with the stone that would be played. */
import { svg } from '../dom.js';
import { CELL } from './geometry.js';

/** @import {Geometry} from './geometry.js' */

const RADIUS = 2.6 * CELL;
const ZOOM = 2;

/**
 * @param {Geometry} geometry
 * @param {string} content the id of what the board shows
 * @param {number} cell what is aimed at
 * @param {{x: number, y: number}} finger
 * @param {SVGElement} piece
 */
export function drawLoupe(geometry, content, cell, finger, piece) {
  const { x, y } = geometry.centre(cell);
  const clip = `${content}-loupe`;
  // Above the finger, or below it near the top.
  const middle = {
    x: Math.min(Math.max(finger.x, RADIUS), geometry.width - RADIUS),
    y: finger.y > 2.4 * RADIUS ? finger.y - 1.7 * RADIUS : finger.y + 1.7 * RADIUS,
  };
  return svg('g', null,
    svg('path', { class: 'aim-lines', d: `M${geometry.margin} ${y}H${geometry.width - geometry.margin}M${x} ${geometry.margin}V${geometry.height - geometry.margin}` }),
    svg('clipPath', { id: clip }, svg('circle', { cx: middle.x, cy: middle.y, r: RADIUS })),
    svg('g', { 'clip-path': `url(#${clip})` },
      svg('circle', { class: 'loupe-ground', cx: middle.x, cy: middle.y, r: RADIUS }),
      svg('g', { transform: `translate(${middle.x} ${middle.y}) scale(${ZOOM}) translate(${-x} ${-y})` },
        svg('use', { href: `#${content}` }),
        svg('g', { class: 'ghost-piece firm', transform: `translate(${x} ${y})` }, piece, svg('circle', { class: 'firm-ring', r: 49 })))),
    svg('circle', { class: 'loupe-edge', cx: middle.x, cy: middle.y, r: RADIUS }));
}
