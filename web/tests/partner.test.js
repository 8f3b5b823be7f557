/** The engine as a partner: style, level that follows, coaching, starts and clocks. */
import assert from 'node:assert/strict';
import { browser, server, test } from './fixture.js';
import { gameId, play, until } from './harness.js';

/** Chooses a game on the first page. */
async function choose(page, variant) {
  await page.locator(`.card[data-variant="${variant}"]`).click();
}

async function start(page) {
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  return gameId(page);
}

test('a persona plays at the level that follows the person, and a finished game moves both numbers', async () => {
  const page = await browser.open(server, '');
  await choose(page, 'tictactoe');
  await page.getByLabel('Level follows my strength').check();
  await page.getByText('You play level 3').waitFor();
  await page.getByLabel('Style of the engine').selectOption('defender');
  const id = await start(page);
  const { seats } = await server.api(`games/${id}`);
  assert.deepEqual([seats.second.level, seats.second.persona], [3, 'defender']);
  await page.getByText('Defender · Level 3').waitFor();
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Resign' }).click();
  await page.getByText(/Your strength: [\d,]+ → [\d,]+/).waitFor();
  await page.goto(`${server.url}/#/`);
  await page.getByRole('button', { name: /^You: / }).click();
  await page.getByRole('dialog').getByText('lost').waitFor();
  const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('polyply.ratings')));
  assert.equal(kept.tictactoe.history.length, 1);
  await browser.close(page);
});

test('the coach says what a move cost, and a blunder can be taken back', async () => {
  const page = await browser.open(server, '', { settings: { coach: true } });
  // Black has three in a row, and White to move plays elsewhere.
  const made = await server.api('games', {
    variant: 'freestyle', moves: ['h8', 'g9', 'i8', 'i9', 'j8'], first: { kind: 'engine', level: 1 }, second: { kind: 'person' },
  });
  await page.evaluate(([id, token]) => localStorage.setItem('polyply.seats', JSON.stringify({ [id]: { second: token } })), [made.game.id, made.seat_tokens.second]);
  await page.goto(`${server.url}/#/game/${made.game.id}`);
  await page.reload();
  const state = await until(server, made.game.id, () => true);
  await play(server, page, made.game.id, state.view.legal.find(({ text }) => text === 'o15'));
  await page.getByText(/cost \d+ % of your chance to win. Overlooked: the opponent’s open three/).waitFor();
  await page.getByRole('button', { name: 'Take it back' }).click();
  await until(server, made.game.id, ({ moves }) => moves.length === 0);
  await browser.close(page);
});

test('a game starts from a handicap, a named opening or a fair one, with an hourglass', async () => {
  const page = await browser.open(server, '');
  await choose(page, 'chess');
  await page.getByText('Clock, board and rules').click();
  await page.getByLabel('Start from').selectOption('handicap queen');
  await page.getByLabel(/^Clock/).selectOption('hourglass');
  const odds = await server.api(`games/${await start(page)}`);
  assert.ok(odds.position.includes('RNB1KBNR') && odds.clock.hourglass);
  await page.goto(`${server.url}/#/`);
  await choose(page, 'othello');
  await page.getByLabel('Start from').selectOption('fair');
  const fair = await server.api(`games/${await start(page)}`);
  assert.ok(fair.given.length >= 3, JSON.stringify(fair.given));
  await page.goto(`${server.url}/#/`);
  await choose(page, 'othello');
  await page.locator('option[value^="opening "]').first().waitFor({ state: 'attached' });
  await page.getByLabel('Start from').selectOption('opening Tiger');
  const named = await server.api(`games/${await start(page)}`);
  assert.ok(named.given.length > 2);
  await browser.close(page);
});
