/** How a friend is invited: a link that works from outside, and its QR code. */
import { get } from '../api.js';
import { el } from '../dom.js';
import { t } from '../i18n.js';
import { fullLink } from '../links.js';
import { copy, iconButton, sayError } from './controls.js';

/** @typedef {{loopback: boolean, addresses: string[], option: string}} Addresses */

/** @type {Promise<Addresses>|null} */
let asked = null;

/**
 * A panel with the link to a path of the app.
 * @param {string} path
 */
export function invitation(path) {
  const own = fullLink(path);
  const box = el('div', { class: 'invitation column' });
  const draw = (/** @type {string} */ link, /** @type {Addresses|null} */ from) => {
    const closed = from?.loopback && isLoopback(location.hostname);
    box.replaceChildren(
      el('p', null, t('play.invite')),
      el('div', { class: 'row' },
        el('input', { type: 'text', class: 'grow', readonly: true, value: link, 'aria-label': t('play.invite') }),
        iconButton('copy', t('copy'), () => copy(link), { wide: true })),
      closed ? el('p', { class: 'warning', role: 'note' }, t('invite.loopback'), ' ', el('code', null, `polyply serve ${from.option}`))
        : el('img', { class: 'qr', src: `/api/qr?text=${encodeURIComponent(link)}`, alt: t('invite.code'), width: 148, height: 148 }));
  };
  draw(own, { loopback: isLoopback(location.hostname), addresses: [], option: '' });
  asked ??= get('addresses');
  asked.then((from) => {
    const [outside] = from.addresses;
    draw(outside && isLoopback(location.hostname) ? own.replace(location.origin, outside) : own, from);
  }, sayError);
  return box;
}

/** @param {string} host */
function isLoopback(host) {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
}
