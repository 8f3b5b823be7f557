/** Words of the app in the language that was chosen. */
import { settings } from './settings.js';
import { en, enNames } from './lang/en.js';
import { vi, viNames } from './lang/vi.js';
import { viOptions } from './lang/vi-options.js';
import { viReasons, viRefusals, viWords } from './lang/vi-refusals.js';

/** @typedef {keyof typeof en} Key */

const WORDS = { en, vi };
const NAMES = { en: enNames, vi: viNames };
/** The server's own sentences are English. @type {Record<'en'|'vi', Record<'refusals'|'reasons'|'words', Record<string, string>>>} */
const REFUSALS = { en: { refusals: {}, reasons: {}, words: {} }, vi: { refusals: viRefusals, reasons: viReasons, words: viWords } };

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
 * What an option of an engine does, in the language that was chosen.
 * @param {{name: string, help: string}} option
 */
export function optionHelp({ name, help }) {
  return (settings.value.language === 'vi' && viOptions[name]) || help;
}

/**
 * Why the server refuses, in the language that was chosen.
 * @param {string} code a sentence with gaps
 * @param {Record<string, string>} values what is in them
 */
export function refusal(code, values) {
  const { refusals, reasons, words } = REFUSALS[settings.value.language];
  const ours = Object.entries(values).map(([gap, value]) => [gap, gap === 'reason' ? reason(value, reasons, words) : words[value] ?? value]);
  const said = fill(refusals[code] ?? code, Object.fromEntries(ours));
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}${/[.!?…]$/.test(said) ? '' : '.'}`;
}

/**
 * A sentence that a game gave as its reason: what stands in the gaps of the one we know is taken from it.
 * @param {string} sentence
 * @param {Record<string, string>} reasons
 * @param {Record<string, string>} words
 */
function reason(sentence, reasons, words) {
  for (const [known, ours] of Object.entries(reasons)) {
    const pattern = known.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>.+?)');
    const found = new RegExp(`^${pattern}$`).exec(sentence);
    if (found) return fill(ours, Object.fromEntries(Object.entries(found.groups ?? {}).map(([gap, value]) => [gap, words[value] ?? value])));
  }
  return sentence;
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
