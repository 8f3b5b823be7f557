/** What a visitor of an exposed server sees, and what its operator sees. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { Browser, Server, clickCell, gameId, testsOf, until } from './harness.js';

const server = await Server.start('--expose');
const browser = await Browser.start();
const test = testsOf(server, browser);

after(async () => {
  await browser.stop();
  await server.stop();
});

test('a visitor plays, watches, and is not shown what is closed', async () => {
  const page = await browser.open(server, '');
  await page.locator('.card[data-variant="tictactoe"]').click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const id = await gameId(page);
  await clickCell(page, 4);
  await until(server, id, ({ moves }) => moves.length >= 2);
  assert.equal(await page.getByRole('button', { name: /Engine/ }).count(), 0, 'the engine room is the operator\'s');
  await page.goto(`${server.url}/#/watch`);
  await page.getByText('Matches are started by the operator').waitFor();
  assert.equal(await page.locator('.match-form').count(), 0);
  await browser.close(page);
});

test('the operator token opens the rest', async () => {
  const page = await browser.open(server, 'watch');
  await page.getByText('Matches are started by the operator').waitFor();
  const token = page.getByLabel('Operator token');
  await page.keyboard.press(',');
  await token.fill('nonsense');
  await token.press('Tab');
  await page.getByText('That is not the operator token').waitFor();
  await token.fill(readFileSync(join(server.folder, 'operator-token'), 'utf8').trim());
  await token.press('Tab');
  await page.getByText('You are the operator').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.match-form').waitFor();
  // The engine room has a WebSocket, which shows the token too.
  await page.keyboard.press('d');
  await page.locator('engine-room.open').waitFor();
  await browser.close(page);
});

test('who began a game between engines pauses, continues and stops it', async () => {
  const page = await browser.open(server, '');
  await page.locator('.card[data-variant="connect4"]').click();
  await page.getByRole('radio', { name: 'Engines', exact: true }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const id = await gameId(page);
  await page.getByRole('button', { name: 'Pause the game' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  assert.match(await page.title(), /^Paused/);
  const { paused, moves } = await server.api(`games/${id}`);
  assert.ok(paused);
  await page.keyboard.press('p');
  await page.getByRole('button', { name: 'Pause the game' }).waitFor();
  await until(server, id, (state) => !state.paused && (state.moves.length > moves.length || state.status === 'over'));
  await page.getByRole('button', { name: 'Stop the game' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop the game' }).click();
  const state = await until(server, id, ({ status }) => status === 'over');
  assert.equal(state.end.reason, 'stopped');
  await page.getByText('Stopped', { exact: true }).first().waitFor();
  await browser.close(page);
});
