/** Taking a game elsewhere: links, pictures, files; and bringing one in. */
import { ApiError, post, variantOf } from '../api.js';
import { download, el } from '../dom.js';
import { named, t } from '../i18n.js';
import { fullLink, gamePath, go } from '../links.js';
import { copy, errorText, openDialog, sayError, select } from './controls.js';

/** @import {Setup} from '../types.js' */

/**
 * @param {Setup} setup
 * @param {string[]} moves to the position that is shown
 * @param {string} tree the whole game, as `Tree.text` writes it
 */
export function openShare(setup, moves, tree) {
  const variant = variantOf(setup.variant);
  const link = fullLink(gamePath('analyse', setup, tree, moves.length));
  const text = el('textarea', { rows: 6, readonly: true, 'aria-label': t('share.export') });
  let format = variant.formats[0] ?? 'moves';
  const fill = async () => {
    try {
      text.value = await post('export', { ...setup, moves: mainMoves(tree), format });
    } catch (error) {
      text.value = errorText(error);
    }
  };
  const picture = (/** @type {'svg'|'png'} */ kind) => async () => {
    const query = new URLSearchParams({ variant: setup.variant, moves: moves.join(' ') });
    if (setup.position) query.set('position', setup.position);
    try {
      const answer = await fetch(`/api/picture.${kind}?${query}`);
      if (!answer.ok) throw new ApiError(answer.status, await answer.json());
      download(`${variant.name}.${kind}`, await answer.blob());
    } catch (error) {
      sayError(error);
    }
  };
  openDialog(t('share.title'),
    el('div', { class: 'row' },
      el('input', { type: 'text', class: 'grow', readonly: true, value: link, 'aria-label': t('share.link') }),
      el('button', { class: 'primary', onclick: () => copy(link) }, t('copy'))),
    el('p', { class: 'dim small' }, t('share.link.about')),
    el('div', { class: 'row' },
      el('button', { onclick: picture('svg') }, t('share.picture', { kind: 'SVG' })),
      el('button', { onclick: picture('png') }, t('share.picture', { kind: 'PNG' }))),
    select(t('share.export'), variant.formats.map((value) => ({ value, text: formatName(value) })), format, (value) => {
      format = value;
      fill();
    }),
    text,
    el('div', { class: 'row' },
      el('button', { onclick: () => copy(text.value) }, t('copy')),
      el('button', { onclick: () => download(`${variant.name}.${extension(format)}`, new Blob([text.value], { type: 'text/plain' })) }, t('share.save')),
      el('button', { class: 'plain', onclick: () => openImport(setup.variant) }, t('import.title'))));
  fill();
}

/** The main line of a tree as text: variations are left out. @param {string} tree */
function mainMoves(tree) {
  let depth = 0;
  return (tree.match(/[()]|[^\s()]+/g) ?? []).filter((word) => {
    if (word === '(') depth++;
    else if (word === ')') depth--;
    return depth === 0 && word !== ')';
  });
}

/** @param {string} format */
function formatName(format) {
  return format === 'moves' ? t('format.moves') : named(`format.${format}`, format.toUpperCase());
}

/** @param {string} format */
function extension(format) {
  return format === 'moves' ? 'txt' : format;
}

/** @param {string} variant that is meant where the text does not say */
export function openImport(variant) {
  const text = el('textarea', { rows: 9, 'aria-label': t('import.text'), placeholder: t('import.placeholder') });
  const wrong = el('p', { class: 'small', role: 'alert' });
  const file = el('input', {
    type: 'file', 'aria-label': t('import.file'),
    onchange: async () => {
      const chosen = file.files?.[0];
      if (chosen) text.value = await chosen.text();
    },
  });
  const dialog = openDialog(t('import.title'), text, file, wrong, el('div', { class: 'row' },
    el('button', {
      class: 'primary',
      onclick: async () => {
        try {
          const { moves, ...setup } = await post('import', { variant, text: text.value });
          dialog.close();
          go(gamePath('analyse', plainSetup(setup), moves.join(' ')));
        } catch (error) {
          wrong.textContent = errorText(error);
        }
      },
    }, t('import.open')),
    el('button', { onclick: () => dialog.close() }, t('cancel'))));
}

/** @param {any} setup @returns {Setup} */
function plainSetup({ variant, position }) {
  return { variant, ...(position ? { position } : {}) };
}
