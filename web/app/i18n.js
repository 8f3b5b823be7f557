/** Words of the app in the language that was chosen. */
import { settings } from './settings.js';
import { en, enNames } from './lang/en.js';
import { vi, viNames } from './lang/vi.js';

/** @typedef {keyof typeof en} Key */

const WORDS = { en, vi };
const NAMES = { en: enNames, vi: viNames };

/**
 * The text of a key; `{name}` in it is replaced by what is given.
 * @param {Key} key
 * @param {Record<string, string|number>} [values]
 */
export function t(key, values) {
  return fill(WORDS[settings.value.language][key] ?? en[key] ?? key, values);
}

/**
 * What the server calls something, in the language that was chosen; without a name of our own it is the server's.
 * @param {string} key
 * @param {string} english
 */
export function named(key, english) {
  return NAMES[settings.value.language][key] ?? english;
}

/**
 * @param {string} text
 * @param {Record<string, string|number>} [values]
 */
function fill(text, values) {
  return values ? text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? '')) : text;
}

/** @param {number} value @param {number} [digits] */
export function number(value, digits = 0) {
  return new Intl.NumberFormat(settings.value.language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
}

/** A large count in few characters, as in 1.2 M. @param {number} value */
export function short(value) {
  if (value >= 1e9) return `${number(value / 1e9, 1)} G`;
  if (value >= 1e6) return `${number(value / 1e6, 1)} M`;
  if (value >= 1e4) return `${number(value / 1e3)} k`;
  return number(value);
}
