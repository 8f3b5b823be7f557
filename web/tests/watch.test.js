/** Matches of engines: started, watched at full size, paused, resumed, stopped. */
import assert from 'node:assert/strict';
import { browser, server, test } from './fixture.js';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

test('a match is started with levels and options, watched, paused, resumed and stopped', async () => {
  const page = await browser.open(server, 'watch');
  await page.getByLabel('Games', { exact: true }).fill('400');
  await page.getByLabel('Strength').first().selectOption('3');
  await page.getByRole('button', { name: 'Change an option' }).nth(1).click();
  await page.locator('.option-row select').selectOption('lmr');
  await page.getByRole('radio', { name: 'Clock' }).click();
  await page.getByLabel('Seconds', { exact: true }).fill('20');
  await page.getByLabel('Increment per move, in seconds').fill('0.01');
  await page.getByRole('radio', { name: 'From the start' }).click();
  await page.getByLabel('Stop as soon as a sequential test decides').check();
  await page.getByLabel('Elo, at least').fill('10');
  const [asked] = await Promise.all([page.waitForRequest((request) => request.url().endsWith('/api/matches') && request.method() === 'POST'), page.getByRole('button', { name: 'Start' }).click()]);
  const { variant, ...wish } = asked.postDataJSON();
  assert.deepEqual(wish, { engines: ['builtin:name=Level 3,level=3', 'builtin:lmr=0'], tc: '20+0.01', games: 400, concurrency: 1, gauntlet: false, from_start: true, sprt: '0,10' });
  await page.waitForURL(/#\/watch\//);
  // The board is large; players have colours, clocks and scores; moves are listed.
  const game = page.locator('live-game');
  await game.locator('.stones > g').nth(2).waitFor();
  assert.ok((await game.locator('game-board').boundingBox()).width > 450);
  assert.match(await game.locator('.live-player').allInnerTexts().then((texts) => texts.join(' ')), /Level 3[\s\S]*Black|Black[\s\S]*Level 3/);
  await game.locator('.live-player time').first().waitFor();
  await game.locator('.live-player .figure', { hasText: /[+−#\d]/ }).first().waitFor();
  await game.locator('move-tree button').nth(2).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('paused', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('running', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('stopped', { exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Resume' }).count(), 0);
  await page.goto(`${server.url}/#/watch`);
  await page.getByRole('cell', { name: 'stopped' }).first().waitFor();
  await browser.close(page);
});

test('finished games are listed, the last one is on the board, and on a phone nothing sticks out', async () => {
  const { id } = await server.api('matches', { variant: 'tictactoe', engines: ['builtin:name=A rather long name of an engine', 'builtin:level=1'], games: 2, nodes: 200, from_start: true });
  const page = await browser.open(server, `watch/${id}`, PHONE);
  await page.getByText('finished', { exact: true }).waitFor();
  await page.locator('.games-list a').first().waitFor();
  await page.locator('live-game .stones > g').nth(4).waitFor();
  // The end is shown as one: by the bar, whatever the players thought of it.
  await page.locator('live-game eval-bar output', { hasText: /^(1–0|½–½|0–1)$/ }).waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await page.goto(`${server.url}/#/watch`);
  await page.getByRole('cell', { name: 'finished' }).first().waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await browser.close(page);
});
