/** Fingers and mice on a board. What a tap does, the board decides. */

/**
 * @typedef {object} Hands
 * @property {(x: number, y: number) => number|null} cellAt from the place on the screen
 * @property {(pointer: string) => 'direct'|'confirm'|'slide'} mode how a pointer of this type plays
 * @property {(cell: number) => boolean} landing a move that names one cell may go there
 * @property {(cell: number) => boolean} movable something there can be moved
 * @property {(cell: number|null, x: number, y: number) => void} aim what would be played by letting go
 * @property {(cell: number|null) => void} hover what would be played by a click
 * @property {(cell: number|null, x: number, y: number) => void} carry drags what is on a cell, or lets it go
 * @property {(cell: number, mode: 'direct'|'confirm'|'slide') => void} choose a cell was chosen
 * @property {(from: number, to: number) => void} mark an arrow or a ring was drawn
 */

/** How far above the finger the stone is shown when it slides. */
const OFFSET = 64;

/**
 * @param {SVGSVGElement} surface
 * @param {Hands} hands
 */
export function followPointer(surface, hands) {
  /** @type {{cell: number|null, x: number, y: number, button: number, mode: 'direct'|'confirm'|'slide', touch: boolean, carrying: boolean}|null} */
  let press = null;

  const forget = () => {
    press = null;
    hands.carry(null, 0, 0);
    hands.aim(null, 0, 0);
  };

  /** The cell a pointer means. @param {PointerEvent} event */
  const meant = (event) => hands.cellAt(event.clientX, event.clientY - (press?.mode === 'slide' ? OFFSET : 0));

  surface.addEventListener('pointerdown', (event) => {
    const cell = hands.cellAt(event.clientX, event.clientY);
    const touch = event.pointerType === 'touch';
    const chosen = hands.mode(event.pointerType);
    const mode = chosen === 'slide' && !(touch && event.button === 0) ? 'direct' : chosen;
    press = { cell, x: event.clientX, y: event.clientY, button: event.button, mode, touch, carrying: false };
    surface.setPointerCapture(event.pointerId);
    if (touch && mode !== 'direct') hands.aim(meant(event), event.clientX, event.clientY);
  });

  surface.addEventListener('pointermove', (event) => {
    if (!press) {
      if (event.pointerType === 'mouse') hands.hover(hands.cellAt(event.clientX, event.clientY));
      return;
    }
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) > 6;
    if (press.button === 0 && press.cell !== null && hands.movable(press.cell) && (far || press.carrying)) {
      if (!press.carrying) hands.choose(press.cell, 'direct');
      press.carrying = true;
      hands.carry(press.cell, event.clientX, event.clientY);
    } else if (press.touch && press.mode !== 'direct') hands.aim(meant(event), event.clientX, event.clientY);
  });

  surface.addEventListener('pointerup', (event) => {
    if (!press) return;
    const { cell: from, button, mode, touch, carrying } = press;
    const to = meant(event);
    forget();
    if (button === 2) {
      if (from !== null && to !== null) hands.mark(from, to);
    } else if (button !== 0) return;
    else if (mode === 'slide') {
      const cell = to !== null && hands.landing(to) ? to : hands.movable(from ?? -1) ? from : null;
      if (cell !== null) hands.choose(cell, 'slide');
    } else if (to !== null && (carrying || from === to || (touch && mode === 'confirm'))) hands.choose(to, mode);
  });

  surface.addEventListener('pointercancel', () => {
    forget();
    hands.hover(null);
  });
  surface.addEventListener('pointerleave', () => {
    if (!press) hands.hover(null);
  });
  surface.addEventListener('contextmenu', (event) => event.preventDefault());

  return { forget };
}
