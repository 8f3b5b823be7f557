/**
 * `<score-graph>`: a curve or bars over the moves of a game, or over the games of a match.
 * Event: `seek` (detail: the index that was clicked or dragged to).
 */
import { el, svg } from '../dom.js';

const WIDTH = 1000;
const HEIGHT = 200;

/**
 * @typedef {object} Graph
 * @property {string} label
 * @property {(number|null)[]} points from -1 to 1
 * @property {'curve'|'bars'} [form]
 * @property {number|null} [cursor]
 * @property {{at: number, kind: string}[]} [dots]
 * @property {number[]} [bounds] horizontal lines, from -1 to 1
 * @property {{at: number, text: string}[]} [scale] what heights mean, from -1 to 1
 */

export class ScoreGraph extends HTMLElement {
  #svg = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img' });
  #scale = el('div', { class: 'scale', 'aria-hidden': 'true' });
  #count = 0;

  connectedCallback() {
    this.replaceChildren(this.#svg, this.#scale);
    const seek = (/** @type {PointerEvent} */ event) => {
      const box = this.#svg.getBoundingClientRect();
      const share = (event.clientX - box.left) / box.width;
      const at = Math.round(share * (this.#count - 1));
      this.dispatchEvent(new CustomEvent('seek', { detail: Math.max(0, Math.min(this.#count - 1, at)) }));
    };
    this.#svg.addEventListener('pointerdown', (event) => {
      this.#svg.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.#svg.addEventListener('pointermove', (event) => event.buttons & 1 && seek(event));
  }

  /** @param {Graph} graph */
  show({ label, points, form = 'curve', cursor = null, dots = [], bounds = [], scale = [] }) {
    this.#count = points.length;
    const x = (/** @type {number} */ at) => (points.length < 2 ? 0 : (at / (points.length - 1)) * WIDTH);
    const y = (/** @type {number} */ value) => HEIGHT / 2 - value * (HEIGHT / 2 - 8);
    this.#svg.setAttribute('aria-label', label);
    const known = points.flatMap((value, at) => (value === null ? [] : [{ at, value }]));
    const path = known.map(({ at, value }, first) => `${first ? 'L' : 'M'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join('');
    const [head, tail] = [known[0], known.at(-1)];
    const drawing = form === 'bars' ? bars(points, x, y) : [
      head && tail && svg('path', { class: 'area', d: `${path}L${x(tail.at)} ${y(0)}L${x(head.at)} ${y(0)}z` }),
      svg('path', { class: 'curve', d: path }),
    ];
    this.#scale.replaceChildren(...scale.map(({ at, text }) => {
      const mark = el('span', null, text);
      mark.style.setProperty('--height', `${(100 * y(at)) / HEIGHT}%`);
      return mark;
    }));
    this.#svg.replaceChildren(
      svg('path', { class: 'zero', d: `M0 ${y(0)}H${WIDTH}` }),
      ...bounds.map((value) => svg('path', { class: 'bound', d: `M0 ${y(value)}H${WIDTH}` })),
      ...drawing.filter((part) => part !== undefined),
      // Dots are strokes of zero length, since the drawing is stretched.
      ...dots.map(({ at, kind }) => svg('ellipse', { class: `dot-${kind}`, cx: x(at), cy: y(points[at] ?? 0), rx: 6 * this.#stretch(), ry: 6 })),
      ...(cursor === null ? [] : [svg('path', { class: 'cursor', d: `M${x(cursor)} 0V${HEIGHT}` })]));
  }

  #stretch() {
    const { clientWidth, clientHeight } = this;
    return clientWidth && clientHeight ? (WIDTH / clientWidth) / (HEIGHT / clientHeight) : 1;
  }
}

/**
 * Bars upwards for the first player's moves, downwards for the second's.
 * @param {(number|null)[]} points
 * @param {(at: number) => number} x
 * @param {(value: number) => number} y
 */
function bars(points, x, y) {
  const width = Math.max(2, (WIDTH / points.length) * 0.7);
  return points.map((value, at) => {
    const height = Math.abs(y(value ?? 0) - y(0));
    return svg('rect', {
      class: (value ?? 0) >= 0 ? 'bar-first' : 'bar-second',
      x: x(at) - width / 2, y: (value ?? 0) >= 0 ? y(0) - height : y(0), width, height,
    });
  });
}

customElements.define('score-graph', ScoreGraph);
