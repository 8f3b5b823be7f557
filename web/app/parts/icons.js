/** Small line drawings for buttons. */
import { svg } from '../dom.js';

const PATHS = {
  play: 'M7 5l12 7-12 7z',
  analyse: 'M4 20V10m5 10V4m5 16v-8m5 8V7',
  watch: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zm10 3a3 3 0 100-6 3 3 0 000 6z',
  games: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  engine: 'M6 6h12v12H6zM10 10h4v4h-4zM9 6V3m6 3V3M9 21v-3m6 3v-3M6 9H3m3 6H3m18-6h-3m3 6h-3',
  power: 'M12 3v8M7 6.5a8 8 0 1010 0',
  more: 'M4.5 12h1M11.5 12h1M18.5 12h1',
  rules: 'M5 4h11a3 3 0 013 3v13H8a3 3 0 01-3-3zM9 9h6M9 13h6',
  message: 'M4 5h16v11H10l-5 4v-4H4z',
  settings: 'M4 7h9m4 0h3M4 17h3m4 0h9M15 9.5a2.5 2.5 0 100-5 2.5 2.5 0 000 5zM9 19.5a2.5 2.5 0 100-5 2.5 2.5 0 000 5z',
  help: 'M9 9a3 3 0 116 .5c0 2-3 2.5-3 4.5m0 4v.01',
  undo: 'M9 6L4 11l5 5M4 11h10a5 5 0 010 10h-3',
  import: 'M12 3v12m0 0l-4-4m4 4l4-4M5 14v5a2 2 0 002 2h10a2 2 0 002-2v-5',
  mistake: 'M6 9a3 3 0 116 .5c0 2-3 2.5-3 4.5m0 4v.01M18 6v8m0 4v.01',
  redo: 'M15 6l5 5-5 5M20 11H10a5 5 0 000 10h3',
  back: 'M15 5l-7 7 7 7',
  forward: 'M9 5l7 7-7 7',
  first: 'M18 5l-7 7 7 7M7 5v14',
  last: 'M6 5l7 7-7 7M17 5v14',
  hint: 'M9 18h6m-5 3h4M12 3a6 6 0 00-4 10.5c1 1 1 1.5 1 2.5h6c0-1 0-1.5 1-2.5A6 6 0 0012 3z',
  flag: 'M6 21V4h12l-3 4 3 4H6',
  draw: 'M5 20L19 4M5 6l2-2v7M15 15.5a2 2 0 013.4 1.3L15 20h4',
  flip: 'M7 4v16m0 0l-3-3m3 3l3-3M17 20V4m0 0l-3 3m3-3l3 3',
  share: 'M12 15V3m0 0L8 7m4-4l4 4M5 12v7a2 2 0 002 2h10a2 2 0 002-2v-7',
  add: 'M12 5v14M5 12h14',
  again: 'M20 12a8 8 0 11-2.5-5.8M20 3v4h-4',
  pause: 'M8 5v14M16 5v14',
  sound: 'M4 9v6h4l5 4V5L8 9zM16 8a5 5 0 010 8M18.5 5.5a9 9 0 010 13',
  silence: 'M4 9v6h4l5 4V5L8 9zM17 9l5 6M22 9l-5 6',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12l5 5L20 7',
  review: 'M4 18l5-6 4 3 7-9M4 21h16',
  trash: 'M5 7h14M10 7V4h4v3m-7 0l1 13h8l1-13',
  star: 'M12 4l2.4 5 5.6.7-4 3.9 1 5.4-5-2.7-5 2.7 1-5.4-4-3.9 5.6-.7z',
  setup: 'M4 20l4-1L19 8l-3-3L5 16zM14 7l3 3',
  threat: 'M12 3v12m0 4v.01M5 8l-2 3m16-3l2 3',
  copy: 'M8 8V4h12v12h-4M4 8h12v12H4z',
};

/** @typedef {keyof typeof PATHS} Icon */

/** @param {Icon} name */
export function icon(name) {
  return svg('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { class: 'icon-path', d: PATHS[name] }));
}
