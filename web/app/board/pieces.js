/** Stones, discs, crosses and noughts, and a chess set, drawn around the middle of a cell. */
import { svg } from '../dom.js';
import { material } from './surface.js';
import { showTheme } from './theme.js';

/** @import {Variant} from '../types.js' */

/** Gradients that all boards share; put into the page once. */
export function drawDefinitions() {
  const shades = {
    'shade-black': ['#6b6762', '#2a2826', '#0c0b0a'],
    'shade-white': ['#ffffff', '#f3efe6', '#cbc4b4'],
    'shade-red': ['#f08a74', '#cf3f2b', '#96230f'],
    'shade-yellow': ['#fff3b0', '#f6ce3c', '#c9960c'],
    'shade-ivory': ['#fffdf5', '#f4ecd8', '#ded2b6'],
    'shade-ebony': ['#5d554c', '#3a342e', '#241f1a'],
  };
  return svg('svg', { class: 'definitions', width: 0, height: 0, 'aria-hidden': 'true' }, svg('defs', null,
    ...Object.entries(shades).map(([id, [light, middle, dark]]) =>
      svg('radialGradient', { id, cx: '36%', cy: '30%', r: '75%' },
        svg('stop', { offset: '0%', 'stop-color': light }),
        svg('stop', { offset: '45%', 'stop-color': middle }),
        svg('stop', { offset: '100%', 'stop-color': dark }))),
    svg('radialGradient', { id: 'alarm' },
      svg('stop', { offset: '0%', class: 'alarm-core' }), svg('stop', { offset: '45%', class: 'alarm-ring' }), svg('stop', { offset: '100%', class: 'alarm-edge' })),
    svg('linearGradient', { id: 'wood', x1: 0, y1: 0, x2: 1, y2: 1 },
      svg('stop', { offset: '0%', class: 'wood-light' }), svg('stop', { offset: '100%', class: 'wood-dark' })),
    ...['best', 'other', 'threat', 'own'].map((kind) =>
      svg('marker', { id: `arrow-${kind}`, class: `arrow-${kind}`, viewBox: '0 0 10 10', refX: 5.5, refY: 5, markerWidth: 2.5, markerHeight: 2.5, orient: 'auto' },
        svg('path', { d: 'M0 0L10 5L0 10z' })))));
}

/** The code of a cell that nothing can be played on. */
export const WALL = '#';

/** The codes of all pieces there are. @param {Variant} variant */
export function pieceCodes(variant) {
  const pieces = variant.board.pieces === 'chessmen' ? ['w', 'b'].flatMap((colour) => [...'KQRBNP'].map((man) => colour + man)) : ['x', 'o'];
  return variant.board.walls ? [...pieces, WALL] : pieces;
}

/**
 * @param {string} code of what a cell holds
 * @param {Variant} variant
 */
export function drawPiece(code, { board, sides }) {
  if (code === WALL) return svg('g', { class: 'piece' }, svg('rect', { class: 'wall', x: -46, y: -46, width: 92, height: 92, rx: 10 }));
  const first = code === 'x';
  const colour = sides[first ? 0 : 1].name;
  const draw = {
    chessmen: () => [chessPiece(code)],
    marks: () => [first ? svg('path', { class: 'cross', d: 'M-27 -27L27 27M27 -27L-27 27' }) : svg('circle', { class: 'nought', r: 29 })],
    stones: () => [svg('g', { class: 'stones-shape' }, ...stone(colour)), pencilled(first)],
    discs: () => disc(colour, board.surface === 'columns'),
  };
  return svg('g', { class: 'piece' }, ...draw[board.pieces]());
}

/**
 * A piece beside the board, on a piece of the board's surface, so that it can be seen on any background.
 * @param {string} code
 * @param {Variant} variant
 * @param {string} [name] a class
 */
export function pieceTile(code, variant, name = '') {
  const tile = svg('svg', { class: `tile tile-${material(variant.board)} ${name}`, viewBox: '-58 -58 116 116', 'aria-hidden': 'true' }, drawPiece(code, variant));
  showTheme(tile, variant);
  return tile;
}

/** A cross or a nought as it is drawn with a pencil: not quite straight, not quite closed. @param {boolean} first */
function pencilled(first) {
  const d = first ? 'M-28 -26Q-3 2 27 28M26 -28Q4 -3 -27 27' : 'M6 -31C-16 -34 -33 -17 -31 3C-29 24 -8 34 11 29C29 24 36 4 29 -13C24 -25 11 -31 -1 -30';
  return svg('path', { class: `mark mark-${first ? 'first' : 'second'}`, d });
}

/** @param {string} shade */
function stone(shade) {
  return [
    svg('ellipse', { class: 'shadow', cx: 3, cy: 7, rx: 46, ry: 45 }),
    svg('circle', { class: `stone stone-${shade}`, r: 46, fill: `url(#shade-${shade})` }),
  ];
}

/** @param {string} shade @param {boolean} large */
function disc(shade, large) {
  const radius = large ? 44 : 41;
  return [
    !large && svg('ellipse', { class: 'shadow', cx: 2, cy: 6, rx: radius, ry: radius }),
    svg('circle', { class: `disc disc-${shade}`, r: radius, fill: `url(#shade-${shade})` }),
    svg('circle', { class: `rim rim-${shade}`, r: radius * 0.74 }),
    // Shapes differ as well as colours.
    shade === 'yellow' && svg('path', { class: 'star-mark', d: 'M0 -17L5 -6L17 -5L8 3L11 15L0 8L-11 15L-8 3L-17 -5L-5 -6z' }),
  ].filter((part) => part !== false);
}

const BASE = 'M-27 38V33Q-27 26 -20 26H20Q27 26 27 33V38Q27 40 25 40H-25Q-27 40 -27 38Z';

/** Solid parts of each man from the foot up, then lines drawn on top. @type {Record<string, {parts: string[], lines: string}>} */
const MEN = {
  P: {
    parts: [
      'M-23 38V34Q-23 27 -17 27H17Q23 27 23 34V38Q23 40 21 40H-21Q-23 40 -23 38Z',
      'M-7 -3C-7 11 -11 19 -18 27H18C11 19 7 11 7 -3Z',
      'M-13 -7Q-13 -10 -10 -10H10Q13 -10 13 -7Q13 -3 10 -3H-10Q-13 -3 -13 -7Z',
      'M-12.5 -21.5A12.5 12.5 0 1 1 12.5 -21.5A12.5 12.5 0 1 1 -12.5 -21.5Z',
    ],
    lines: '',
  },
  R: {
    parts: [
      BASE,
      'M-15 -13L-19 26H19L15 -13Z',
      'M-23 -36H-13.5V-29H-5V-36H5V-29H13.5V-36H23V-21L16 -13H-16L-23 -21Z',
    ],
    lines: 'M-16 -13H16M-18 17H18',
  },
  N: {
    parts: [
      BASE,
      'M-19 26C-19 11 -5 8 -4 -7C-9 -4 -12 -3 -15 1C-18 6 -22 9 -26 6C-30 4 -31 -1 -28 -6C-24 -13 -22 -19 -16 -25L-17 -37L-8 -31L-4 -40L3 -31C20 -26 27 -6 23 26Z',
    ],
    lines: 'M8 -24C17 -15 19 4 17 18M-25 0L-23 -2',
  },
  B: {
    parts: [
      BASE,
      'M-9 6C-9 14 -13 20 -20 26H20C13 20 9 14 9 6Z',
      'M-16 4Q-16 1 -13 1H13Q16 1 16 4Q16 7 13 7H-13Q-16 7 -16 4Z',
      'M0 -35C-12 -27 -18 -17 -16 -8C-15 -4 -12 0 -9 1H9C12 0 15 -4 16 -8C18 -17 12 -27 0 -35Z',
      'M-5 -38A5 5 0 1 1 5 -38A5 5 0 1 1 -5 -38Z',
    ],
    lines: 'M0 -24V-10M-6 -17H6',
  },
  Q: {
    parts: [
      BASE,
      'M-18 10C-16 16 -19 21 -22 26H22C19 21 16 16 18 10Z',
      'M-30 -21L-19 10Q0 5 19 10L30 -21L16 -5L13.5 -30L0 -7L-13.5 -30L-16 -5Z',
      'M-34 -25A4.6 4.6 0 1 1 -24.8 -25A4.6 4.6 0 1 1 -34 -25Z',
      'M-18.6 -34A4.6 4.6 0 1 1 -9.4 -34A4.6 4.6 0 1 1 -18.6 -34Z',
      'M9.4 -34A4.6 4.6 0 1 1 18.6 -34A4.6 4.6 0 1 1 9.4 -34Z',
      'M24.8 -25A4.6 4.6 0 1 1 34 -25A4.6 4.6 0 1 1 24.8 -25Z',
    ],
    lines: 'M-19 18Q0 13 19 18',
  },
  K: {
    parts: [
      BASE,
      'M-3.2 -45H3.2V-39H9V-33H3.2V-24H-3.2V-33H-9V-39H-3.2Z',
      'M0 -27C-8 -21 -7 -15 0 -6C7 -15 8 -21 0 -27Z',
      'M0 -4C-3 -20 -30 -24 -30 -6C-30 5 -21 12 -20 26H20C21 12 30 5 30 -6C30 -24 3 -20 0 -4Z',
    ],
    lines: 'M0 -4V12M-20 16Q0 10 20 16',
  },
};

/** @param {string} code `wK` and the like */
function chessPiece(code) {
  const colour = code.startsWith('w') ? 'ivory' : 'ebony';
  const man = MEN[code.slice(1)] ?? { parts: [BASE], lines: '' };
  return svg('g', { class: `man man-${colour}` }, svg('g', { class: 'man-letter' }, svg('circle', { r: 38 }), svg('text', { y: 3 }, code.slice(1))),
    svg('g', { class: 'man-shape', transform: 'translate(0 2) scale(1.06)' },
    ...man.parts.map((d) => svg('path', { class: 'man-part', d, fill: `url(#shade-${colour})` })),
    svg('path', { class: 'man-lines', d: man.lines }),
    code.endsWith('N') && svg('circle', { class: 'man-eye', cx: -12, cy: -19, r: 2.6 })));
}
