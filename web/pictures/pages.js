/** The pages that are photographed: where they are, and when they are ready. */

/** The widths of the contact sheet: a phone, a tablet, a desk. */
export const SCREENS = {
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  tablet: { viewport: { width: 820, height: 1100 }, hasTouch: true },
  desk: { viewport: { width: 1360, height: 860 } },
};

const CARO = ['j10', 'k11', 'm10', 'i11', 'k9', 'l10', 'j11', 'j12', 'h10', 'i9', 'm8', 'n7'];
const CHESS = ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1c4', 'g8f6', 'f3g5', 'd7d5', 'e4d5', 'f6d5', 'g5f7', 'e8f7', 'd1f3', 'f7e6', 'b1c3', 'c6b4'];

/**
 * A finished game for the picture of its end.
 * @param {import('../tests/harness.js').Server} server
 */
async function ending(server) {
  const person = { kind: 'person' };
  const { game, seat_tokens: seats } = await server.api('games', { variant: 'freestyle', first: person, second: person });
  for (const [at, move] of ['h8', 'a1', 'i8', 'c3', 'j8', 'e5', 'k8', 'g2', 'l8'].entries()) {
    await server.api(`games/${game.id}/moves`, { move }, at % 2 === 0 ? seats.first : seats.second);
  }
  return `game/${game.id}`;
}

/** The matches that are running. @param {import('../tests/harness.js').Server} server */
const running = async (server) => (await server.api('matches')).filter((match) => match.running);

/**
 * A match that lasts as long as it is looked at. Its players have time enough even while the server stands still.
 * @param {import('../tests/harness.js').Server} server
 */
async function match(server) {
  const wish = { variant: 'freestyle', engines: ['builtin:name=Ann,level=6', 'builtin:name=Bob,level=4'], games: 10000, tc: '3600+1', from_start: true };
  const { id } = (await running(server))[0] ?? await server.api('matches', wish);
  return `watch/${id}`;
}

/** Ends the match, which would take a processor. @param {import('../tests/harness.js').Server} server */
async function over(server) {
  for (const { id } of await running(server)) await server.api(`matches/${id}/end`, {});
}

/** Nothing moves any more. */
const settled = (page) => page.waitForFunction(() => document.getAnimations().every((one) => one.playState !== 'running' || one.effect?.getTiming().iterations === Infinity));

/**
 * @typedef {object} Photographed
 * @property {string} name
 * @property {string | ((server: import('../tests/harness.js').Server) => Promise<string>)} path
 * @property {(page: any) => Promise<unknown>} ready
 * @property {(server: import('../tests/harness.js').Server) => Promise<unknown>} [over] ends what it began
 */

/** @type {Photographed[]} */
export const PAGES = [
  { name: 'home', path: '', ready: (page) => page.locator('.card game-board svg').first().waitFor() },
  { name: 'rules', path: 'rules/caro', ready: (page) => page.locator('.rule-parts li').first().waitFor() },
  { name: 'game', path: ending, ready: (page) => page.locator('.outcome').waitFor() },
  { name: 'analyse', path: `analyse/caro?moves=${CARO.join('+')}`, ready: (page) => page.locator('engine-lines .worth').first().waitFor() },
  { name: 'chess', path: `analyse/chess?moves=${CHESS.join('+')}`, ready: (page) => page.locator('engine-lines .worth').first().waitFor() },
  { name: 'review', path: `review/chess?moves=${CHESS.join('+')}`, ready: async (page) => {
    await page.locator('progress.finished').waitFor({ state: 'attached' });
    await page.keyboard.press('n');
    await page.locator('.comment .quality').waitFor();
  } },
  { name: 'matches', path: 'watch', ready: (page) => page.locator('.match-form').waitFor() },
  { name: 'watch', path: match, ready: (page) => page.waitForFunction(() => document.querySelectorAll('live-game .stones > g').length > 5), over },
  { name: 'engine', path: `analyse/othello?moves=f5+d6+c3`, ready: async (page) => {
    await page.locator('engine-lines .worth').first().waitFor();
    await page.keyboard.press('d');
    await page.locator('engine-room [data-part=search_tt] dd').first().waitFor();
  } },
];

/** Opens a page and waits until it is ready. */
export async function openReady(browser, server, { path, ready }, options) {
  const page = await browser.open(server, typeof path === 'string' ? path : await path(server), options);
  page.setDefaultTimeout(180000);
  await ready(page);
  await settled(page);
  return page;
}
