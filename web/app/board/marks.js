/** What is written over a board: last move, winning line, values, arrows, hints. */
import { svg } from '../dom.js';
import { CELL } from './geometry.js';

/** @import {Geometry} from './geometry.js' */

/**
 * @typedef {{from?: number, to: number, kind: 'best'|'other'|'threat'|'own', label?: string}} Arrow
 * @typedef {{cell: number, text: string, heat: number, best: boolean}} CellValue heat from 0, worst, to 1, best
 */

/**
 * The last move: a ring with an edge that shows on pieces of any colour.
 * @param {Geometry} geometry
 * @param {number[]} last
 * @param {boolean} square the whole cell is tinted where cells are squares
 */
export function drawLast(geometry, last, square) {
  return last.map((cell) => {
    const { x, y } = geometry.centre(cell);
    return square
      ? svg('rect', { class: 'last-square', x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL })
      : svg('g', null, ...['last-edge', 'last-ring'].map((name) => svg('circle', { class: name, cx: x, cy: y, r: 17 })));
  });
}

/** A king in check. @param {Geometry} geometry @param {number[]} cells */
export function drawChecked(geometry, cells) {
  return cells.map((cell) => {
    const { x, y } = geometry.centre(cell);
    return svg('circle', { class: 'checked', cx: x, cy: y, r: CELL / 2 });
  });
}

/** @param {Geometry} geometry @param {number[]} line */
export function drawLine(geometry, line) {
  const [head, ...rest] = line;
  if (head === undefined) return [];
  const rings = line.map((cell) => {
    const { x, y } = geometry.centre(cell);
    return svg('circle', { class: 'win-ring', cx: x, cy: y, r: 45 });
  });
  const start = geometry.centre(head);
  const end = geometry.centre(rest.at(-1) ?? head);
  return [...rings, svg('path', { class: 'win-line', pathLength: 1, d: `M${start.x} ${start.y}L${end.x} ${end.y}` })];
}

/** @param {Geometry} geometry @param {number[]} cells */
export function drawForbidden(geometry, cells) {
  return cells.map((cell) => {
    const { x, y } = geometry.centre(cell);
    // Among pencilled crosses another cross would look like a piece: there the whole cell is tinted too.
    return svg('g', { class: 'forbidden' }, svg('rect', { class: 'forbidden-cell', x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL }),
      svg('path', { d: `M${x - 16} ${y - 16}l32 32m0 -32l-32 32` }));
  });
}

/** @param {Geometry} geometry @param {number[]} cells @param {(cell: number) => boolean} taken */
export function drawHints(geometry, cells, taken) {
  return cells.map((cell) => {
    const { x, y } = geometry.centre(cell);
    return svg('circle', { class: taken(cell) ? 'hint-take' : 'hint', cx: x, cy: y, r: taken(cell) ? 45 : 13 });
  });
}

/** @param {Geometry} geometry @param {CellValue[]} values @param {boolean} heat */
export function drawValues(geometry, values, heat) {
  return values.map(({ cell, text, heat: warmth, best }) => {
    const { x, y } = geometry.centre(cell);
    // Lighter and larger is better, so that it works without colours.
    const disc = svg('circle', { class: 'heat', cx: x, cy: y, r: heat ? 16 + 26 * warmth : 40 });
    disc.style.setProperty('--warmth', warmth.toFixed(3));
    // Dark letters on light marks.
    return svg('g', { class: `value ${best ? 'value-best' : ''} ${warmth > 0.5 ? 'value-light' : ''}` }, disc,
      !heat && svg('text', { x, y: y + 2, class: text.length > 3 ? 'value-long' : '' }, text));
  });
}

/** @param {Geometry} geometry @param {Arrow[]} arrows */
export function drawArrows(geometry, arrows) {
  return arrows.map(({ from, to, kind, label }) => {
    const end = geometry.centre(to);
    const group = svg('g', { class: `arrow arrow-${kind}` });
    if (from === undefined) group.append(svg('circle', { class: 'arrow-ring', cx: end.x, cy: end.y, r: 40 }));
    else {
      const start = geometry.centre(from);
      const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
      const stop = { x: end.x - ((end.x - start.x) / length) * 26, y: end.y - ((end.y - start.y) / length) * 26 };
      group.append(svg('path', { class: 'arrow-shaft', d: `M${start.x} ${start.y}L${stop.x} ${stop.y}`, 'marker-end': `url(#arrow-${kind})` }));
    }
    if (label) group.append(svg('text', { x: end.x + 30, y: end.y - 30 }, label));
    return group;
  });
}

/**
 * Move numbers on stones.
 * @param {Geometry} geometry
 * @param {Map<number, number>} numbers
 * @param {(cell: number) => boolean} dark
 */
export function drawNumbers(geometry, numbers, dark) {
  return [...numbers].map(([cell, count]) => {
    const { x, y } = geometry.centre(cell);
    return svg('text', { class: `number ${dark(cell) ? 'number-light' : 'number-dark'}`, x, y: y + 2 }, count);
  });
}
