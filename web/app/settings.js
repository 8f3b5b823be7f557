/** Settings, stored in this browser. */
import { Store } from './store.js';

/**
 * @typedef {object} Settings
 * @property {'en'|'vi'} language
 * @property {'system'|'light'|'dark'} theme
 * @property {'auto'|'wood'|'paper'|'green'|'contrast'} board what boards are made of; by itself: wood, or what the language's people use
 * @property {'auto'|'classic'|'flat'|'marks'} pieces
 * @property {boolean} sound
 * @property {'auto'|'direct'|'confirm'|'slide'} tap by itself: one tap where cells are large enough, else a second one confirms
 * @property {string} name what friends see
 * @property {boolean} coordinates
 * @property {boolean} numbers move numbers on stones
 * @property {boolean} legal marks where one may play
 * @property {boolean} coach says after each own move what it cost
 * @property {'off'|'values'|'heat'} values what the analysis writes on cells
 * @property {number} lines lines of analysis
 */

const KEY = 'polyply.settings';

/** @returns {Settings} */
function defaults() {
  return {
    language: navigator.language.startsWith('vi') ? 'vi' : 'en',
    theme: 'system',
    board: 'auto',
    pieces: 'auto',
    sound: true,
    tap: 'auto',
    name: '',
    coordinates: true,
    numbers: false,
    legal: true,
    coach: false,
    values: 'values',
    lines: 3,
  };
}

/** @type {Store<Settings>} */
export const settings = new Store({ ...defaults(), ...stored() });

settings.watch((value) => {
  localStorage.setItem(KEY, JSON.stringify(value));
  show(value);
});

/** @returns {Partial<Settings>} */
function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}');
  } catch {
    return {};
  }
}

/** @param {Settings} value */
function show(value) {
  document.documentElement.dataset['theme'] = value.theme;
  document.documentElement.lang = value.language;
}

show(settings.value);
