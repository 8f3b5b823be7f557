/**
 * Fingers and mice on a board, and the three ways to tap: `direct` plays at once, `confirm` waits for a second tap on the
 * same cell, `slide` shows a stone above the finger and plays it on release.
 */

/**
 * @typedef {object} Hands
 * @property {(x: number, y: number) => number|null} cellAt from the place on the screen
 * @property {() => 'direct'|'confirm'|'slide'} mode
 * @property {(cell: number) => boolean} landing a move that names one cell may go there
 * @property {(cell: number) => boolean} movable something there can be moved
 * @property {(cell: number|null, firm: boolean) => void} ghost shows what would be played; firm waits for a second tap
 * @property {(cell: number|null, x: number, y: number) => void} carry drags what is on a cell, or lets it go
 * @property {(cell: number) => void} choose a cell was chosen
 * @property {(from: number, to: number) => void} mark an arrow or a ring was drawn
 */

/** How far above the finger the stone is shown. */
const OFFSET = 64;

/**
 * @param {SVGSVGElement} surface
 * @param {Hands} hands
 */
export function followPointer(surface, hands) {
  /** @type {{cell: number|null, x: number, y: number, button: number, sliding: boolean, carrying: boolean}|null} */
  let press = null;
  /** @type {number|null} */
  let waiting = null;

  const forget = () => {
    press = null;
    hands.carry(null, 0, 0);
  };

  /** @param {number} cell */
  const choose = (cell) => {
    const confirms = hands.mode() === 'confirm' && hands.landing(cell);
    if (confirms && waiting !== cell) {
      waiting = cell;
      hands.ghost(cell, true);
      return;
    }
    waiting = null;
    hands.ghost(null, false);
    hands.choose(cell);
  };

  surface.addEventListener('pointerdown', (event) => {
    const cell = hands.cellAt(event.clientX, event.clientY);
    const sliding = event.pointerType === 'touch' && hands.mode() === 'slide' && event.button === 0;
    press = { cell, x: event.clientX, y: event.clientY, button: event.button, sliding, carrying: false };
    surface.setPointerCapture(event.pointerId);
    if (sliding) hands.ghost(hands.cellAt(event.clientX, event.clientY - OFFSET), false);
  });

  surface.addEventListener('pointermove', (event) => {
    const cell = hands.cellAt(event.clientX, event.clientY);
    if (!press) {
      if (event.pointerType === 'mouse' && waiting === null) hands.ghost(cell, false);
      return;
    }
    if (press.sliding) return hands.ghost(hands.cellAt(event.clientX, event.clientY - OFFSET), false);
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) > 6;
    if (press.button === 0 && press.cell !== null && hands.movable(press.cell) && (far || press.carrying)) {
      if (!press.carrying) hands.choose(press.cell);
      press.carrying = true;
      hands.carry(press.cell, event.clientX, event.clientY);
    }
  });

  surface.addEventListener('pointerup', (event) => {
    if (!press) return;
    const { cell: from, button, sliding, carrying } = press;
    const to = hands.cellAt(event.clientX, event.clientY - (sliding ? OFFSET : 0));
    forget();
    if (button === 2) {
      if (from !== null && to !== null) hands.mark(from, to);
    } else if (button === 0 && sliding) {
      const cell = to !== null && hands.landing(to) ? to : hands.movable(from ?? -1) ? from : null;
      hands.ghost(null, false);
      if (cell !== null) hands.choose(cell);
    } else if (button === 0 && to !== null && (carrying || from === to)) choose(to);
  });

  surface.addEventListener('pointercancel', () => {
    forget();
    hands.ghost(null, false);
  });
  surface.addEventListener('pointerleave', () => {
    if (!press && waiting === null) hands.ghost(null, false);
  });
  surface.addEventListener('contextmenu', (event) => event.preventDefault());

  return {
    /** The cell that waits for a second tap. */
    waiting: () => waiting,
    /** Forgets it: the position has changed. */
    reset() {
      waiting = null;
      forget();
    },
  };
}
