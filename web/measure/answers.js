/**
 * How long a person waits for the engine in games with a time for each move, from the tap to the engine's stone on the screen.
 *   POLYPLY=target/release/polyply node web/measure/answers.js [MOVES]
 * plays at full strength against the engine's own hints, so that games are long and no answer is easy.
 */
import { Browser, Server, gameId, until } from '../tests/harness.js';

const WANTED = Number(process.argv[2] ?? 100);
/** Games are ended after so many moves of the person, before they are decided. */
const MOVES_OF_A_GAME = 12;

const server = await Server.start();
const browser = await Browser.start();
const variants = await server.api('variants');
const { name, move_ms: limit } = variants.find(({ move_ms: ms }) => ms);
const page = await browser.open(server, '', { reducedMotion: 'no-preference' });
// When the page last heard of a position.
await page.addInitScript(() => {
  globalThis.WebSocket = class extends WebSocket {
    constructor(...wanted) {
      super(...wanted);
      this.addEventListener('message', ({ data }) => data.includes('"type":"state"') && (globalThis.heard = performance.now()));
    }
  };
});
await page.reload();

/**
 * Taps a cell. Returns the milliseconds until the server has kept the person's move, until the page hears of the
 * engine's, and until two more moves are listed and the frame that shows them begins.
 */
async function answer(cell) {
  await page.evaluate(() => {
    const listed = () => document.querySelectorAll('play-page move-tree button').length;
    const before = listed();
    performance.clearResourceTimings();
    globalThis.waited = new Promise((done) => {
      addEventListener('pointerup', ({ timeStamp }) => {
        const watch = new MutationObserver(() => {
          if (listed() < before + 2) return;
          watch.disconnect();
          const [sent] = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/moves'));
          requestAnimationFrame(() => done({
            kept_ms: Math.round((sent?.responseEnd ?? NaN) - timeStamp), heard_ms: Math.round(globalThis.heard - timeStamp), ms: Math.round(performance.now() - timeStamp),
          }));
        });
        watch.observe(document.querySelector('play-page move-tree'), { childList: true, subtree: true });
      }, { once: true, capture: true });
    });
  });
  await page.locator('game-board:not([small]) .cell').nth(cell).click();
  return page.evaluate(() => Promise.race([globalThis.waited, new Promise((done) => setTimeout(() => done(null), 10_000))]));
}

/** Begins a game at full strength, and plays its first moves. Returns the waiting times. */
async function game() {
  await page.goto(`${server.url}/#/`);
  await page.locator(`.card[data-variant=${name}]`).click();
  await page.getByRole('slider', { name: 'Level' }).fill('10');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const id = await gameId(page);
  await page.locator('play-page game-board .cell').first().waitFor();
  const { first } = await page.evaluate((game) => JSON.parse(localStorage.getItem('polyply.seats'))[game], id);
  const times = [];
  for (let move = 0; move < MOVES_OF_A_GAME; move++) {
    const { view, status } = await until(server, id, ({ moves, status: now }) => now === 'over' || moves.length === 2 * move);
    if (status === 'over') break;
    const hint = await server.api(`games/${id}/hint`, {}, first);
    // The first stones differ from game to game.
    const drawn = move < 2 ? view.legal[Math.floor(Math.random() * view.legal.length)].text : hint.move;
    const waited = await answer(view.legal.find(({ text }) => text === drawn).to);
    const now = await server.api(`games/${id}`);
    if (waited !== null && now.moves.length === 2 * move + 2) times.push({ ...waited, server_ms: now.moves.at(-1).ms, stage: now.moves.at(-1).stage });
  }
  return times;
}

const times = [];
while (times.length < WANTED) times.push(...await game());
times.length = WANTED;
const sorted = times.map(({ ms }) => ms).sort((one, other) => one - other);
const late = times.filter(({ ms }) => ms > limit);
const share = (part) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]);
console.log(JSON.stringify({ what: name, limit_ms: limit, moves: times.length, late: late.length, median_ms: share(0.5), p99_ms: share(0.99), longest_ms: share(1) }));
for (const one of late) console.log(JSON.stringify(one));
await browser.stop();
await server.stop();
