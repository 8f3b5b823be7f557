/** The frame of the app: navigation bar, pages, and the keys that work everywhere. */
import { loadVariants } from './api.js';
import { drawDefinitions } from './board/pieces.js';
import { el } from './dom.js';
import { t } from './i18n.js';
import { bindKeys } from './keys.js';
import { currentRoute } from './links.js';
import { errorText, iconButton } from './parts/controls.js';
import { EngineRoom } from './parts/engine-room.js';
import { icon } from './parts/icons.js';
import { openKeys, openSettings } from './parts/settings-dialog.js';
import { settings } from './settings.js';
import { AnalysePage } from './pages/analyse.js';
import { HomePage } from './pages/home.js';
import { PlayPage } from './pages/play.js';
import { ReviewPage } from './pages/review.js';
import { WatchPage } from './pages/watch.js';

/** @typedef {HTMLElement & {open(route: import('./links.js').Route): void, variant?: string}} Page */

/** @type {Record<string, new () => Page>} */
const PAGES = { '': HomePage, game: PlayPage, analyse: AnalysePage, review: ReviewPage, watch: WatchPage };

const main = el('main', { id: 'main', tabindex: -1 });
const room = new EngineRoom();
const bar = /** @type {HTMLElement} */ (document.querySelector('.topbar'));

function drawBar() {
  const { page } = currentRoute();
  const place = (/** @type {string} */ path, /** @type {import('./parts/icons.js').Icon} */ picture, /** @type {string} */ text, /** @type {string[]} */ pages) =>
    el('a', { href: `#/${path}`, 'aria-current': pages.includes(page) ? 'page' : undefined }, icon(picture), text);
  bar.replaceChildren(
    el('a', { class: 'brand', href: '#/' }, el('img', { src: 'icon.svg', alt: '', width: 28, height: 28 }), 'Polyply'),
    el('nav', { class: 'places', 'aria-label': t('nav.label') },
      place('', 'play', t('nav.play'), ['', 'game']),
      place('analyse', 'analyse', t('nav.analyse'), ['analyse', 'review']),
      place('watch', 'watch', t('nav.watch'), ['watch'])),
    iconButton('engine', t('nav.engine'), () => room.toggle(), { key: 'D' }),
    iconButton('help', t('nav.keys'), openKeys, { key: '?' }),
    iconButton('settings', t('nav.settings'), openSettings, { key: ',' }));
}

function openPage() {
  drawBar();
  const route = currentRoute();
  const page = new (PAGES[route.page] ?? HomePage)();
  main.replaceChildren(page);
  page.open(route);
  room.follow(() => page.variant);
  scrollTo(0, 0);
}

async function start() {
  document.body.append(drawDefinitions(), main, room);
  bindKeys([
    { keys: '?', does: 'keys.help', run: openKeys },
    { keys: 'd', does: 'keys.engine', run: () => room.toggle() },
    { keys: ',', does: 'keys.settings', run: openSettings },
    { keys: 'b', does: 'keys.board', run: () => /** @type {any} */ (document.querySelector('game-board:not([small])'))?.focusCells() },
  ]);
  addEventListener('hashchange', openPage);
  settings.watch((now, before) => now.language !== before.language && openPage());
  try {
    await loadVariants();
    openPage();
  } catch (error) {
    drawBar();
    main.replaceChildren(el('div', { class: 'panel padded column' }, el('p', null, errorText(error)),
      el('button', { onclick: () => location.reload() }, t('again'))));
  }
}

start();
