/** Boards, pieces and sounds as people like them. */
import assert from 'node:assert/strict';
import { browser, server, test } from './fixture.js';

const shown = (page, part) => page.locator(`game-board ${part}`).first().evaluate((one) => getComputedStyle(one).display !== 'none');

test('Caro is played on squared paper with pencilled marks in Vietnamese, and on wood with stones in English', async () => {
  for (const [language, paper] of [['vi', true], ['en', false]]) {
    const page = await browser.open(server, 'analyse/caro?moves=j10+k11', { settings: { language } });
    await page.locator('game-board .stones > g').nth(1).waitFor();
    const look = async () => [await shown(page, '.paper-lines'), await shown(page, '.mark'), await shown(page, '.lines'), await shown(page, '.stones-shape')];
    assert.deepEqual(await look(), [paper, paper, !paper, !paper]);
    // Its rules have the same look, also where the pictures are of another size or without the opening rule.
    await page.goto(`${server.url}/#/rules/caro`);
    await page.locator('rules-page .lesson game-board .stones > g').first().waitFor();
    const places = await page.locator('rules-page game-board').evaluateAll((boards) => boards.map((board) => board.dataset.board));
    assert.ok(places.length > 3 && places.every((place) => place === (paper ? 'paper' : 'wood')), places.join());
    await browser.close(page);
  }
});

test('points where one may not play are tinted among pencilled crosses, and crossed out on wood', async () => {
  const made = await server.api('games', { variant: 'caro', first: { kind: 'person' }, second: { kind: 'person' } });
  for (const move of ['j10', 'k10']) await server.api(`games/${made.game.id}/moves`, { move }, made.seat_tokens.first);
  for (const language of ['vi', 'en']) {
    const page = await browser.open(server, '', { settings: { language } });
    await page.evaluate(([id, tokens]) => localStorage.setItem('polyply.seats', JSON.stringify({ [id]: tokens })), [made.game.id, made.seat_tokens]);
    await page.goto(`${server.url}/#/game/${made.game.id}`);
    await page.locator('game-board .forbidden').first().waitFor();
    assert.equal(await shown(page, '.forbidden-cell'), language === 'vi');
    await browser.close(page);
  }
});

test('sides are called what their pieces look like', async () => {
  for (const [settings, names] of [[{ language: 'vi' }, ['X', 'O']], [{ language: 'vi', board: 'wood' }, ['Đen', 'Trắng']], [{ language: 'en' }, ['Black', 'White']], [{ language: 'en', pieces: 'marks' }, ['Cross', 'Nought']]]) {
    const page = await browser.open(server, '', { settings });
    await page.locator('.card[data-variant=caro]').click();
    for (const name of names) await page.getByRole('radio', { name, exact: true }).waitFor();
    await page.locator('.start').click();
    for (const name of names) await page.locator('player-strip .who > span', { hasText: new RegExp(`^${name}`) }).waitFor();
    await browser.close(page);
  }
});

test('boards and pieces are chosen in the settings, at once and for good', async () => {
  const page = await browser.open(server, 'analyse/chess');
  const square = () => page.locator('game-board .dark-squares').evaluate((one) => getComputedStyle(one).fill);
  const wood = await square();
  await page.keyboard.press(',');
  await page.getByRole('radio', { name: 'Green' }).click();
  await page.getByRole('radio', { name: 'X, O and letters' }).click();
  await page.keyboard.press('Escape');
  await page.waitForFunction((was) => getComputedStyle(document.querySelector('game-board .dark-squares')).fill !== was, wood);
  assert.ok(await shown(page, '.man-letter'));
  await page.reload();
  await page.locator('game-board[data-board=green][data-pieces=marks]').waitFor();
  await browser.close(page);
});

test('sounds are on, and one tap silences them', async () => {
  const page = await browser.open(server, '');
  await page.getByRole('button', { name: 'Turn sounds off' }).click();
  await page.getByRole('button', { name: 'Turn sounds on' }).waitFor();
  assert.equal(await page.evaluate(() => JSON.parse(localStorage.getItem('polyply.settings')).sound), false);
  await browser.close(page);
});
