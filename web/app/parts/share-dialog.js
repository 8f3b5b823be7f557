/** Sharing a game by link, picture or file, and importing one. */
import { ApiError, post, variantOf } from '../api.js';
import { download, el } from '../dom.js';
import { named, t } from '../i18n.js';
import { fullLink, gamePath, go } from '../links.js';
import { Tree } from '../tree.js';
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
  /** What is saved. @type {BlobPart} */
  let content = '';
  const fill = async () => {
    try {
      const whole = Tree.parse(tree);
      const answer = await post('export', { ...setup, moves: whole.mainLine().map(({ move }) => move), game: whole.game(), format });
      content = isBinary(format) ? Uint8Array.from(atob(answer), (sign) => sign.charCodeAt(0)) : answer;
      text.value = isBinary(format) ? t('share.bytes') : answer;
    } catch (error) {
      content = '';
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
  const dialog = openDialog(t('share.title'),
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
      el('button', { onclick: () => download(`${variant.name}.${extension(format)}`, new Blob([content], { type: 'text/plain' })) }, t('share.save')),
      el('button', { class: 'plain', onclick: () => {
        dialog.close();
        openImport(setup.variant);
      } }, t('import.title'))));
  fill();
}

/** @param {string} format */
function formatName(format) {
  return format === 'moves' ? t('format.moves') : named(`format.${format}`, format.toUpperCase());
}

/** @param {string} format */
function extension(format) {
  return format === 'moves' ? 'txt' : format;
}

/** Its files are bytes, not text. @param {string} format */
function isBinary(format) {
  return format === 'wtb';
}

/**
 * Opens a game or a position that was pasted; of several games one is chosen.
 * @param {string} variant that is meant where the text does not say
 * @param {string} text
 */
export async function openPasted(variant, text) {
  try {
    const { game, games, ...setup } = await post('import', { variant, text, game: 1 });
    if (games > 1) openImport(variant, text, games);
    else go(gamePath('analyse', plainSetup(setup), Tree.ofGame(game).text()));
  } catch (error) {
    sayError(error);
  }
}

/** @param {string} variant that is meant where the text does not say @param {string} [known] what it begins with @param {number} [count] of the games in it */
export function openImport(variant, known = '', count = 1) {
  const text = el('textarea', { rows: 9, 'aria-label': t('import.text'), placeholder: t('import.placeholder') }, known);
  const wrong = el('p', { class: 'small', role: 'alert' });
  const file = el('input', {
    type: 'file', class: 'unseen',
    onchange: async () => {
      const chosen = file.files?.[0];
      if (!chosen) return;
      bytes = isBinary(chosen.name.split('.').at(-1)?.toLowerCase() ?? '') ? await base64(chosen) : '';
      text.value = bytes ? chosen.name : await chosen.text();
      ask(1);
    },
  });
  /** A binary file, in base64. */
  let bytes = '';
  const number = el('input', { type: 'number', min: '1', value: '1', 'aria-label': t('import.game') });
  const choice = el('label', { class: 'row', hidden: true }, el('span', {}), number);
  /** Lets one of several games be chosen. @param {number} games */
  const ask = (games) => {
    choice.hidden = games < 2;
    if (choice.hidden) number.value = '1';
    number.max = String(games);
    if (choice.firstElementChild) choice.firstElementChild.textContent = t('import.games', { games: String(games) });
  };
  text.addEventListener('input', () => {
    bytes = '';
    ask(1);
  });
  const dialog = openDialog(t('import.title'), text, el('label', { class: 'button' }, file, t('import.file')), choice, wrong, el('div', { class: 'row' },
    el('button', {
      class: 'primary',
      onclick: async () => {
        try {
          const what = bytes ? { text: bytes, format: 'wtb' } : { text: text.value };
          const { game, games, ...setup } = await post('import', { variant, ...what, game: Number(number.value) });
          if (games > 1 && choice.hidden) {
            wrong.textContent = '';
            ask(games);
            number.focus();
            return;
          }
          dialog.close();
          go(gamePath('analyse', plainSetup(setup), Tree.ofGame(game).text()));
        } catch (error) {
          wrong.textContent = errorText(error);
        }
      },
    }, t('import.open')),
    el('button', { onclick: () => dialog.close() }, t('cancel'))));
  ask(count);
}

/** @param {File} file */
async function base64(file) {
  const url = await new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
  return String(url).split(',')[1] ?? '';
}

/** @param {any} setup @returns {Setup} */
function plainSetup({ variant, position }) {
  return { variant, ...(position ? { position } : {}) };
}
