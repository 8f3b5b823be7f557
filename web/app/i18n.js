/** The texts of the app in the chosen language. */
import { fill, reason } from './sentences.js';
import { settings } from './settings.js';
import { en, enNames } from './lang/en.js';
import { vi, viNames } from './lang/vi.js';
import { viOptions } from './lang/vi-options.js';
import { viRefusals } from './lang/vi-refusals.js';
import { viGames } from './lang/vi-games.js';

/** @import {Refusal} from './types.js' */

/** @typedef {keyof typeof en} Key */

const WORDS = { en, vi };
/** @type {Record<'en'|'vi', Record<string, string>>} */
const NAMES = { en: enNames, vi: { ...viNames, ...viGames } };
/** The server sends its refusals with the English sentence. @type {Record<'en'|'vi', Record<string, string>>} */
const REFUSALS = { en: {}, vi: viRefusals };

/**
 * The text of a key, with its gaps filled in.
 * @param {Key} key
 * @param {Record<string, string|number>} [values]
 */
export function t(key, values) {
  return fill(WORDS[settings.value.language][key] ?? en[key] ?? key, values);
}

/**
 * The name of something in the chosen language; the server's own if there is none.
 * @param {string} key
 * @param {string} english
 */
export function named(key, english) {
  return NAMES[settings.value.language][key] ?? english;
}

/**
 * What an option of an engine does, in the chosen language.
 * @param {{name: string, help: string}} option
 */
export function optionHelp({ name, help }) {
  return (settings.value.language === 'vi' && viOptions[name]) || help;
}

/**
 * Why the server refuses, as a whole sentence in the chosen language.
 * @param {Refusal} refused
 */
export function refusal(refused) {
  const said = reason(refused, REFUSALS[settings.value.language]);
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}${/[.!?…]$/.test(said) ? '' : '.'}`;
}

/**
 * The same without the marks around names and texts, for a sentence on the board.
 * @param {Refusal} refused
 */
export function plainRefusal(refused) {
  return refusal(refused).replaceAll('`', '');
}

/** @param {number} value @param {number} [digits] */
export function number(value, digits = 0) {
  return new Intl.NumberFormat(settings.value.language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
}

/** The day of a point in time. @param {number} ms since 1970 */
export function day(ms) {
  return new Intl.DateTimeFormat(settings.value.language, { day: 'numeric', month: 'short' }).format(ms);
}

/** A large count in few characters, as in 1.2 M. @param {number} value */
export function short(value) {
  if (value >= 1e9) return `${number(value / 1e9, 1)} G`;
  if (value >= 1e6) return `${number(value / 1e6, 1)} M`;
  if (value >= 1e4) return `${number(value / 1e3)} k`;
  return number(value);
}
