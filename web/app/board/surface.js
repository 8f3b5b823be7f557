/** What lies under the pieces: wood with points, felt or chequered squares, and the plate that discs fall behind. */
import { svg } from '../dom.js';
import { CELL } from './geometry.js';

/** @import {BoardLook} from '../types.js' */
/** @import {Geometry} from './geometry.js' */

/**
 * @param {BoardLook} look
 * @param {Geometry} geometry
 * @param {boolean} coordinates
 */
export function drawSurface(look, geometry, coordinates) {
  const frame = svg('rect', {
    class: `frame frame-${material(look)}`, width: geometry.width, height: geometry.height, rx: 14,
  });
  const parts = { points: points, squares: squares, columns: well }[look.surface](look, geometry);
  return svg('g', { class: 'surface', 'aria-hidden': 'true' }, frame, ...parts, coordinates && labels(look, geometry));
}

/** @param {BoardLook} look */
export function material(look) {
  return look.surface === 'squares' ? (look.checkered ? 'chequered' : 'felt') : look.surface;
}

/** @param {BoardLook} _look @param {Geometry} geometry */
function points(_look, geometry) {
  const { margin, columns, rows } = geometry;
  const [left, top] = [margin + CELL / 2, margin + CELL / 2];
  const [right, bottom] = [left + (columns - 1) * CELL, top + (rows - 1) * CELL];
  let lines = '';
  for (let column = 0; column < columns; column++) lines += `M${left + column * CELL} ${top}V${bottom}`;
  for (let row = 0; row < rows; row++) lines += `M${left} ${top + row * CELL}H${right}`;
  return [
    svg('path', { class: 'grain', d: grain(geometry) }),
    svg('path', { class: 'lines', d: lines }),
    svg('path', { class: 'paper-lines', d: grid(geometry) }),
    svg('rect', { class: 'edge', x: left, y: top, width: right - left, height: bottom - top }),
    ...stars(columns).flatMap((column) => stars(rows).map((row) =>
      svg('circle', { class: 'star', cx: left + column * CELL, cy: top + row * CELL, r: 10 }))),
  ];
}

/** The lines around all cells. @param {Geometry} geometry */
function grid({ margin, columns, rows }) {
  let lines = '';
  for (let column = 0; column <= columns; column++) lines += `M${margin + column * CELL} ${margin}v${rows * CELL}`;
  for (let row = 0; row <= rows; row++) lines += `M${margin} ${margin + row * CELL}h${columns * CELL}`;
  return lines;
}

/** Star points of a line of cells: the third or fourth from each end, and the middle. @param {number} length */
function stars(length) {
  if (length < 9) return [];
  const inset = length < 13 ? 2 : 3;
  const middle = length % 2 === 1 && length > 9 ? [(length - 1) / 2] : [];
  return [inset, ...middle, length - 1 - inset];
}

/**
 * The grain of the wood: long wavy lines, always the same ones.
 * @param {Geometry} geometry
 */
function grain({ width, height }) {
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  let path = '';
  for (let y = 10; y < height; y += 18 + random() * 46) {
    const bend = () => (y + (random() - 0.5) * 60).toFixed(0);
    path += `M0 ${y.toFixed(0)}C${(width * 0.3).toFixed(0)} ${bend()} ${(width * 0.7).toFixed(0)} ${bend()} ${width} ${bend()}`;
  }
  return path;
}

/** @param {BoardLook} look @param {Geometry} geometry */
function squares(look, geometry) {
  const { margin, columns, rows } = geometry;
  const [width, height] = [columns * CELL, rows * CELL];
  const field = svg('rect', { class: `field field-${material(look)}`, x: margin, y: margin, width, height });
  if (look.checkered) {
    let dark = '';
    for (let row = 0; row < rows; row++) {
      for (let column = (row + 1) % 2; column < columns; column += 2) {
        dark += `M${margin + column * CELL} ${margin + row * CELL}h${CELL}v${CELL}h${-CELL}z`;
      }
    }
    return [field, svg('path', { class: 'dark-squares', d: dark })];
  }
  const dots = columns < 8 || rows < 8 ? [] : [2, columns - 2].flatMap((column) => [2, rows - 2].map((row) =>
    svg('circle', { class: 'felt-dot', cx: margin + column * CELL, cy: margin + row * CELL, r: 8 })));
  return [field, svg('path', { class: 'felt-lines', d: grid(geometry) }), ...dots];
}

/** What is seen through the holes of the plate. @param {BoardLook} _look @param {Geometry} geometry */
function well(_look, { margin, columns, rows }) {
  return [svg('rect', { class: 'well', x: margin, y: margin, width: columns * CELL, height: rows * CELL })];
}

/**
 * The plate in front of the discs, with a hole for each cell.
 * @param {Geometry} geometry
 */
export function drawPlate({ margin, columns, rows }) {
  let path = `M${margin} ${margin}h${columns * CELL}v${rows * CELL}h${-columns * CELL}z`;
  let rims = '';
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const hole = `M${margin + column * CELL + 10} ${margin + (row + 0.5) * CELL}a40 40 0 1 0 80 0a40 40 0 1 0 -80 0z`;
      path += hole;
      rims += hole;
    }
  }
  return svg('g', { class: 'plate', 'aria-hidden': 'true' },
    svg('path', { class: 'plate-body', d: path, 'fill-rule': 'evenodd' }), svg('path', { class: 'plate-rims', d: rims }));
}

/** @param {BoardLook} look @param {Geometry} geometry */
function labels(look, geometry) {
  const { margin, columns, rows, width, height } = geometry;
  const group = svg('g', { class: `labels labels-${material(look)}`, 'font-size': Math.min(32, margin * 0.56) });
  const write = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string|undefined} */ text) =>
    group.append(svg('text', { x, y }, text ?? ''));
  for (let column = 0; column < columns; column++) {
    const { x } = geometry.centre(column);
    write(x, height - margin / 2 + 1, look.coordinates.columns[column]);
    if (look.surface === 'points') write(x, margin / 2 + 1, look.coordinates.columns[column]);
  }
  for (let row = 0; row < rows; row++) {
    const { y } = geometry.centre(row * columns);
    write(margin / 2, y, look.coordinates.rows[row]);
    if (look.surface === 'points') write(width - margin / 2, y, look.coordinates.rows[row]);
  }
  return group;
}
