/** The settings dialog and the list of keys. */
import { isExposed, keepOperatorToken, operatorToken } from '../api.js';
import { el } from '../dom.js';
import { t } from '../i18n.js';
import { boundKeys, keyName } from '../keys.js';
import { settings } from '../settings.js';
import { openDialog, say, sayError, segments, toggle } from './controls.js';
import { icon } from './icons.js';

/** @import {Key} from '../i18n.js' */
/** @import {Settings} from '../settings.js' */

/**
 * @template {keyof Settings} K
 * @param {K} name
 * @param {Key} label
 * @param {{value: any, text: string}[]} choices
 */
function choice(name, label, choices) {
  return el('div', { class: 'row spread' }, el('span', null, t(label)),
    segments(t(label), choices, /** @type {any} */ (settings.value[name]), (value) => settings.set({ [name]: value })));
}

/** @param {'sound'|'coordinates'|'numbers'|'legal'|'coach'} name @param {Key} label */
function onOff(name, label) {
  return toggle(t(label), settings.value[name], (value) => settings.set({ [name]: value }));
}

/** The operator token of an exposed server. @param {() => void} changed */
function operator(changed) {
  const field = el('input', {
    type: 'password', autocomplete: 'off', value: operatorToken(), onchange: () => keepOperatorToken(field.value.trim()).then((right) => {
      // A page that is drawn anew begins without messages.
      changed();
      say(t(right ? 'settings.operator.right' : 'settings.operator.wrong'));
    }, sayError),
  });
  return [el('label', { class: 'field' }, t('settings.operator'), field), el('p', { class: 'dim small' }, t('settings.operator.about'))];
}

/** @param {() => void} changed what this browser may do here has changed */
export function openSettings(changed) {
  const dialog = openDialog(t('nav.settings'),
    el('div', { class: 'row spread' }, el('span', null, t('settings.language')),
      segments(t('settings.language'), [{ value: 'en', text: 'English' }, { value: 'vi', text: 'Tiếng Việt' }], settings.value.language, (language) => {
        settings.set({ language: /** @type {'en'|'vi'} */ (language) });
        dialog.close();
        openSettings(changed);
      })),
    choice('theme', 'settings.theme', [
      { value: 'system', text: t('settings.system') }, { value: 'light', text: t('settings.light') }, { value: 'dark', text: t('settings.dark') }]),
    choice('board', 'settings.board', [
      { value: 'auto', text: t('settings.usual') }, { value: 'wood', text: t('board.wood') }, { value: 'paper', text: t('board.paper') },
      { value: 'green', text: t('board.green') }, { value: 'contrast', text: t('board.contrast') }]),
    choice('pieces', 'settings.pieces', [
      { value: 'auto', text: t('settings.usual') }, { value: 'classic', text: t('pieces.classic') }, { value: 'flat', text: t('pieces.flat') }, { value: 'marks', text: t('pieces.marks') }]),
    choice('tap', 'settings.tap', [
      { value: 'auto', text: t('tap.auto') }, { value: 'direct', text: t('tap.direct') }, { value: 'confirm', text: t('tap.confirm') }, { value: 'slide', text: t('tap.slide') }]),
    el('p', { class: 'dim small' }, t('settings.tap.about')),
    choice('values', 'settings.values', [
      { value: 'values', text: t('values.numbers') }, { value: 'heat', text: t('values.heat') }, { value: 'off', text: t('values.off') }]),
    onOff('coordinates', 'settings.coordinates'),
    onOff('numbers', 'settings.numbers'),
    onOff('legal', 'settings.legal'),
    onOff('coach', 'settings.coach'),
    onOff('sound', 'settings.sound'),
    ...(isExposed() ? operator(changed) : []));
}

/** The rules of a game, and the keys that work now. @param {string} game plain name */
export function openKeys(game) {
  const board = [
    { keys: 'ArrowLeft ArrowRight ArrowUp ArrowDown', does: /** @type {Key} */ ('keys.cursor') },
    { keys: 'Enter', does: /** @type {Key} */ ('keys.enter') },
  ];
  const list = (/** @type {{keys: string, does: Key}[]} */ bindings) =>
    el('div', { class: 'keys' }, ...bindings.flatMap(({ keys, does }) => [
      el('span', null, ...(keys === ' ' ? [keys] : keys.split(' ')).flatMap((key) => [el('kbd', null, keyName(key)), ' '])),
      el('span', null, t(does)),
    ]));
  const dialog = openDialog(t('nav.help'),
    el('a', { class: 'button', href: `#/rules/${game}`, onclick: () => dialog.close() }, icon('rules'), t('nav.rules')),
    el('h3', null, t('nav.keys')), list([...boundKeys(), { keys: 'Ctrl+V', does: /** @type {Key} */ ('keys.paste') }]), el('h3', null, t('keys.on-board')), list(board));
}
