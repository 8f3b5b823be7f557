/** Boards, pieces and sounds as people like them. */
import assert from 'node:assert/strict';
import { browser, server, test } from './fixture.js';

const shown = (page, part) => page.locator(`game-board ${part}`).first().evaluate((one) => getComputedStyle(one).display !== 'none');

test('Caro is played on squared paper with pencilled marks in Vietnamese, and on wood with stones in English', async () => {
  for (const [language, paper] of [['vi', true], ['en', false]]) {
    const page = await browser.open(server, 'analyse/caro?moves=j10+k11', { settings: { language } });
    await page.locator('game-board .stones > g').nth(1).waitFor();
    assert.deepEqual([await shown(page, '.paper-lines'), await shown(page, '.mark'), await shown(page, '.lines'), await shown(page, '.stones-shape')], [paper, paper, !paper, !paper]);
    await browser.close(page);
  }
});

test('sides are called what their pieces look like', async () => {
  for (const [settings, names] of [[{ language: 'vi' }, ['Chữ X', 'Chữ O']], [{ language: 'vi', board: 'wood' }, ['Đen', 'Trắng']], [{ language: 'en' }, ['Black', 'White']], [{ language: 'en', pieces: 'marks' }, ['Cross', 'Nought']]]) {
    const page = await browser.open(server, '', { settings });
    await page.locator('.card[data-variant=caro]').click();
    for (const name of names) await page.getByRole('radio', { name, exact: true }).waitFor();
    await page.locator('.start').click();
    for (const name of names) await page.locator('player-strip', { hasText: name }).waitFor();
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
