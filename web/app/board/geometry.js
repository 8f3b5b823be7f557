/** Where cells are: a cell is a square of side 100, and the board has a margin for its coordinates. */

/** @import {BoardLook} from '../types.js' */

export const CELL = 100;

export class Geometry {
  /**
   * @param {BoardLook} look
   * @param {boolean} flipped seen from the other side; discs fall down from either
   * @param {boolean} coordinates
   */
  constructor(look, flipped, coordinates) {
    this.columns = look.columns;
    this.rows = look.rows;
    this.flipped = flipped && look.surface !== 'columns';
    // Small boards are drawn large, so their margin needs fewer units.
    this.margin = coordinates ? Math.min(62, 24 + 3 * this.columns) : Math.min(26, 8 + 2 * this.columns);
    this.width = this.columns * CELL + 2 * this.margin;
    this.height = this.rows * CELL + 2 * this.margin;
  }

  get cells() {
    return this.columns * this.rows;
  }

  /**
   * The middle of a cell.
   * @param {number} cell
   */
  centre(cell) {
    const { column, row } = this.#seen(cell % this.columns, Math.floor(cell / this.columns));
    return { x: this.margin + (column + 0.5) * CELL, y: this.margin + (row + 0.5) * CELL };
  }

  /**
   * The cell at a point of the drawing.
   * @param {number} x
   * @param {number} y
   */
  cellAt(x, y) {
    const seen = { column: Math.floor((x - this.margin) / CELL), row: Math.floor((y - this.margin) / CELL) };
    if (seen.column < 0 || seen.column >= this.columns || seen.row < 0 || seen.row >= this.rows) return null;
    const { column, row } = this.#seen(seen.column, seen.row);
    return row * this.columns + column;
  }

  /**
   * The neighbour in a direction as seen, or the cell itself at the edge.
   * @param {number} cell
   * @param {number} right
   * @param {number} down
   */
  step(cell, right, down) {
    const { x, y } = this.centre(cell);
    return this.cellAt(x + right * CELL, y + down * CELL) ?? cell;
  }

  /** @param {number} column @param {number} row */
  #seen(column, row) {
    return this.flipped ? { column: this.columns - 1 - column, row: this.rows - 1 - row } : { column, row };
  }
}

/**
 * What a cell is called.
 * @param {BoardLook} look
 * @param {number} cell
 */
export function cellName(look, cell) {
  return `${look.coordinates.columns[cell % look.columns]}${look.coordinates.rows[Math.floor(cell / look.columns)]}`;
}

/**
 * The cells that moves put a piece on, in order, for the numbers on stones; null for moves that name no single cell.
 * @param {BoardLook} look
 * @param {string[]} moves
 */
export function landings(look, moves) {
  const names = new Map(Array.from({ length: look.columns * look.rows }, (_, cell) => [cellName(look, cell), cell]));
  const heights = new Map();
  return moves.map((text) => {
    if (look.surface !== 'columns') return names.get(text) ?? null;
    const column = look.coordinates.columns.indexOf(text);
    if (column < 0) return null;
    const height = heights.get(column) ?? 0;
    heights.set(column, height + 1);
    return (look.rows - 1 - height) * look.columns + column;
  });
}
