/** Keyboard shortcuts by page, with descriptions for the list behind `?`. */
import { t } from './i18n.js';

/** @import {Key} from './i18n.js' */
/** @typedef {{keys: string, does: Key, run: () => void}} Binding `keys` is a `KeyboardEvent.key`, several with spaces */

/** @type {Binding[][]} */
const layers = [];

/**
 * Adds keys until the returned function is called. The latest layer comes first.
 * @param {Binding[]} bindings
 */
export function bindKeys(bindings) {
  layers.unshift(bindings);
  return () => {
    const at = layers.indexOf(bindings);
    if (at >= 0) layers.splice(at, 1);
  };
}

/** All keys that work now. */
export function boundKeys() {
  return layers.flat();
}

/** @param {string} key as people read it */
export function keyName(key) {
  /** @type {Record<string, string>} */
  const names = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', ' ': t('key.space'), Escape: 'Esc' };
  return names[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest('input, textarea, select, dialog')) return;
  // Space and Enter belong to whatever button has the focus.
  if ((event.key === ' ' || event.key === 'Enter') && target.closest('button, a, summary')) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const binding = layers.flat().find((one) => one.keys === ' ' ? key === ' ' : one.keys.split(' ').includes(key));
  if (!binding) return;
  event.preventDefault();
  binding.run();
});
