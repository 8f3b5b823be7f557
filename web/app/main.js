/** The frame of the app: navigation bar, pages, and the keys that work everywhere. */
import { allVariants, isOperator, loadAccess, loadVariants, plainName } from './api.js';
import { drawDefinitions } from './board/pieces.js';
import { el } from './dom.js';
import { t } from './i18n.js';
import { bindKeys } from './keys.js';
import { currentRoute, go } from './links.js';
import { clearMessages, errorText, iconButton } from './parts/controls.js';
import { EngineRoom } from './parts/engine-room.js';
import { icon } from './parts/icons.js';
import { openKeys, openSettings } from './parts/settings-dialog.js';
import { openPasted } from './parts/share-dialog.js';
import { settings } from './settings.js';
import { showTitle } from './title.js';
import { AnalysePage } from './pages/analyse.js';
import { HomePage } from './pages/home.js';
import { PlayPage } from './pages/play.js';
import { ReviewPage } from './pages/review.js';
import { RulesPage } from './pages/rules.js';
import { WatchPage } from './pages/watch.js';

/** @typedef {HTMLElement & {open(route: import('./links.js').Route): void, variant?: string, analysis?: string}} Page `analysis` is where the bar's link to the analysis leads */

/** @type {Record<string, new () => Page>} */
const PAGES = { '': HomePage, game: PlayPage, analyse: AnalysePage, review: ReviewPage, rules: RulesPage, watch: WatchPage };

/** The titles of pages that set none of their own. @type {Record<string, import('./i18n.js').Key>} */
const TITLES = { analyse: 'nav.analyse', review: 'review.title', watch: 'watch.title' };

const main = el('main', { id: 'main', tabindex: -1 });
const room = new EngineRoom();
const bar = /** @type {HTMLElement} */ (document.querySelector('.topbar'));

function drawBar() {
  const { page } = currentRoute();
  const place = (/** @type {string} */ path, /** @type {import('./parts/icons.js').Icon} */ picture, /** @type {string} */ text, /** @type {string[]} */ pages) =>
    el('a', { href: `#/${path}`, 'aria-current': pages.includes(page) ? 'page' : undefined }, icon(picture), text);
  const analysis = place('analyse', 'analyse', t('nav.analyse'), ['analyse', 'review']);
  // What is on the board goes along.
  analysis.addEventListener('click', (event) => {
    if (!shown?.analysis) return;
    event.preventDefault();
    go(shown.analysis);
  });
  bar.replaceChildren(
    el('a', { class: 'brand', href: '#/' }, el('img', { src: 'icon.svg', alt: '', width: 28, height: 28 }), 'Polyply'),
    el('nav', { class: 'places', 'aria-label': t('nav.label') },
      place('', 'games', t('nav.play'), ['', 'game', 'rules']),
      analysis,
      place('watch', 'watch', t('nav.watch'), ['watch'])),
    ...(isOperator() ? [iconButton('engine', t('nav.engine'), () => room.toggle(), { key: 'D' })] : []),
    iconButton(settings.value.sound ? 'sound' : 'silence', t(settings.value.sound ? 'nav.silence' : 'nav.sound'), () => settings.set({ sound: !settings.value.sound })),
    iconButton('help', t('nav.help'), openHelp, { key: '?' }),
    iconButton('settings', t('nav.settings'), showSettings, { key: ',' }));
}

/** The pages may show more, or less, to the operator. */
const showSettings = () => openSettings(openPage);

/** The rules of the game on the page, and the keys. */
function openHelp() {
  openKeys(plainName(shown?.variant ?? ''));
}

/** @type {Page|null} */
let shown = null;

function openPage() {
  clearMessages();
  room.makeRoom();
  drawBar();
  const route = currentRoute();
  showTitle(t(TITLES[route.page] ?? 'nav.title'));
  const page = new (PAGES[route.page] ?? HomePage)();
  shown = page;
  main.replaceChildren(page);
  page.open(route);
  room.follow(() => page.variant);
  scrollTo(0, 0);
}

async function start() {
  document.body.append(drawDefinitions(), main, room);
  bindKeys([
    { keys: '?', does: 'keys.help', run: openHelp },
    { keys: 'd', does: 'keys.engine', run: () => isOperator() && room.toggle() },
    { keys: ',', does: 'keys.settings', run: showSettings },
    { keys: 'b', does: 'keys.board', run: () => /** @type {any} */ (document.querySelector('game-board:not([small])'))?.focusCells() },
  ]);
  addEventListener('hashchange', openPage);
  addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text').trim();
    if (text && !/** @type {HTMLElement} */ (event.target).closest?.('input, textarea, dialog')) openPasted(plainName(shown?.variant ?? allVariants()[0]?.name ?? ''), text);
  });
  settings.watch((now, before) => {
    if (now.language !== before.language || now.board !== before.board || now.pieces !== before.pieces) openPage();
    else if (now.sound !== before.sound) drawBar();
  });
  try {
    await Promise.all([loadVariants(), loadAccess()]);
    openPage();
  } catch (error) {
    drawBar();
    main.replaceChildren(el('div', { class: 'panel padded column' }, el('p', null, errorText(error)),
      el('button', { onclick: () => location.reload() }, t('again'))));
  }
}

start();
