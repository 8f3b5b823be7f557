/** Buttons, choices, dialogs and messages that all pages share. */
import { ApiError } from '../api.js';
import { el } from '../dom.js';
import { refusal, t } from '../i18n.js';
import { icon } from './icons.js';

/** @import {Icon} from './icons.js' */

/**
 * @param {Icon} picture
 * @param {string} label
 * @param {() => void} run
 * @param {{key?: string, pressed?: boolean, disabled?: boolean, wide?: boolean, caption?: string}} [options] the caption
 *   is a word or two below the picture
 */
export function iconButton(picture, label, run, options = {}) {
  return el('button', {
    class: options.wide ? '' : 'icon',
    type: 'button',
    title: options.key ? `${label} (${options.key})` : label,
    'aria-label': label,
    'aria-pressed': options.pressed === undefined ? undefined : String(options.pressed),
    disabled: options.disabled,
    onclick: run,
  }, icon(picture), options.wide ? label : options.caption ? el('span', { class: 'caption', 'aria-hidden': 'true' }, options.caption) : null);
}

/**
 * A menu of things that are rarely done.
 * @param {string} title
 * @param {{icon: Icon, label: string, run: () => void, disabled?: boolean}[]} items
 */
export function openMenu(title, items) {
  const dialog = openDialog(title, el('div', { class: 'menu' }, ...items.map((item) => el('button', {
    type: 'button', class: 'plain', disabled: item.disabled,
    onclick: () => {
      dialog.close();
      item.run();
    },
  }, icon(item.icon), item.label))));
  dialog.classList.add('sheet');
}

/**
 * A choice of one among a few.
 * @template {string|number} T
 * @param {string} label
 * @param {{value: T, text: string}[]} choices
 * @param {T} value
 * @param {(value: T) => void} chosen
 */
export function segments(label, choices, value, chosen) {
  const buttons = choices.map((choice) =>
    el('button', {
      type: 'button', role: 'radio', 'aria-checked': String(choice.value === value), 'data-value': choice.value, tabindex: choice.value === value ? 0 : -1,
      onclick: () => {
        for (const other of buttons) {
          const chosenNow = other.dataset['value'] === String(choice.value);
          other.setAttribute('aria-checked', String(chosenNow));
          other.tabIndex = chosenNow ? 0 : -1;
        }
        chosen(choice.value);
      },
    }, choice.text));
  // One Tab stop; the arrow keys choose, as in every radio group.
  if (!choices.some((choice) => choice.value === value) && buttons[0]) buttons[0].tabIndex = 0;
  const onkeydown = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const at = buttons.findIndex((button) => button === document.activeElement);
    if (!step || at < 0) return;
    event.preventDefault();
    const next = buttons[(at + step + buttons.length) % buttons.length];
    next?.focus();
    next?.click();
  };
  return el('div', { class: 'segments', role: 'radiogroup', 'aria-label': label, onkeydown }, ...buttons);
}

/** Such a choice with its label above; a `<label>` would press the first button when it is clicked. @param {Parameters<typeof segments>} choice */
export function labelled(...choice) {
  return el('div', { class: 'field' }, el('span', { 'aria-hidden': 'true' }, choice[0]), segments(...choice));
}

/**
 * @param {string} label
 * @param {{value: string, text: string}[]} choices
 * @param {string} value
 * @param {(value: string) => void} chosen
 */
export function select(label, choices, value, chosen) {
  const list = el('select', { value, onchange: () => chosen(list.value) },
    ...choices.map((choice) => el('option', { value: choice.value }, choice.text)));
  return el('label', { class: 'field' }, label, list);
}

/** @param {string} label @param {boolean} value @param {(value: boolean) => void} chosen */
export function toggle(label, value, chosen) {
  const box = el('input', { type: 'checkbox', onchange: () => chosen(box.checked) });
  box.checked = value;
  return el('label', { class: 'switch' }, box, label);
}

/**
 * @param {string} title
 * @param {(Node|string)[]} body
 */
export function openDialog(title, ...body) {
  const dialog = el('dialog', { 'aria-label': title, onclose: () => dialog.remove() },
    el('div', { class: 'head' }, el('h2', null, title),
      el('button', { class: 'icon plain', 'aria-label': t('close'), onclick: () => dialog.close() }, icon('close'))),
    el('div', { class: 'body' }, ...body));
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * @param {string} question
 * @param {string} yes
 * @param {() => void} run
 * @param {'primary'|'danger'} [kind] danger for what can't be undone
 */
export function ask(question, yes, run, kind = 'primary') {
  const dialog = openDialog(question, el('div', { class: 'row' },
    el('button', { class: kind, onclick: () => { dialog.close(); run(); } }, yes),
    el('button', { onclick: () => dialog.close() }, t('cancel'))));
}

/** Shows a message for a moment; screen readers say it. @param {string} text @param {boolean} [wrong] */
export function say(text, wrong = false) {
  const box = document.querySelector('.toasts') ?? document.body.appendChild(el('div', { class: 'toasts', role: 'status' }));
  const toast = el('div', { class: wrong ? 'toast wrong' : 'toast' }, text);
  box.append(toast);
  setTimeout(() => toast.remove(), wrong ? 5000 : 2500);
}

/** Messages belong to the page they were made on. */
export function clearMessages() {
  document.querySelector('.toasts')?.replaceChildren();
}

/** Shows an error. @param {unknown} error */
export function sayError(error) {
  say(errorText(error), true);
}

/** @param {unknown} error */
export function errorText(error) {
  if (!(error instanceof ApiError)) return String(error);
  return error.status === 0 ? t('error.offline') : refusal(error.refusal);
}

/** Lets screen readers say something. @param {string} text */
export function announce(text) {
  const box = document.querySelector('#announcer') ?? document.body.appendChild(el('div', { id: 'announcer', class: 'unseen', 'aria-live': 'polite' }));
  box.textContent = text;
}

/** @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say(t('copied'));
  } catch {
    openDialog(t('copy'), el('textarea', { rows: 4, readonly: true }, text));
  }
}
