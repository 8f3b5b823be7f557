/** Sentences with gaps, which are names in braces. */

/** @import {Refusal} from './types.js' */

/**
 * A text with its gaps filled in.
 * @param {string} text
 * @param {Record<string, string|number>} [values]
 */
export function fill(text, values) {
  return values ? text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? '')) : text;
}

/**
 * A refusal as part of a sentence, with the reasons in it. A code without a sentence falls back to English.
 * @param {Refusal} refusal
 * @param {Record<string, string>} sentences by code
 * @returns {string}
 */
export function reason({ code, args, message }, sentences) {
  const sentence = sentences[code];
  if (sentence === undefined) return message;
  const values = Object.entries(args).map(([name, value]) => [name, typeof value === 'object' ? reason(value, sentences) : value]);
  return fill(sentence, Object.fromEntries(values));
}
