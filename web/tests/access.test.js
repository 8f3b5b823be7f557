/** By keyboard alone, on a phone, in Vietnamese, and with a screen reader. */
import assert from 'node:assert/strict';
import { viGames } from '../app/lang/vi-games.js';
import { viNames } from '../app/lang/vi.js';
import { viOptions } from '../app/lang/vi-options.js';
import { gameId, until } from './harness.js';
import { browser, server, test, variants } from './fixture.js';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

/** Presses Tab until something that is wanted has the focus. */
async function tabTo(page, wanted) {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(wanted)) return;
  }
  throw new Error(`not reached by Tab: ${wanted}`);
}

test('a game is chosen, begun and played by keyboard alone, and told to those who listen', async () => {
  const page = await browser.open(server, '');
  await tabTo(page, () => document.activeElement?.classList.contains('card') && document.activeElement.textContent?.includes('Tic'));
  await page.keyboard.press('Enter');
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await tabTo(page, () => document.activeElement?.getAttribute('role') === 'radio' && document.activeElement.textContent === 'Engine');
  await page.keyboard.press('ArrowRight');
  assert.equal(await focused(), 'Same screen', 'the arrows choose, and the focus stays where it is drawn again');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await focused(), 'Engine');
  await tabTo(page, () => document.activeElement?.textContent === 'Play' && document.activeElement.tagName === 'BUTTON');
  await page.keyboard.press('Enter');
  const id = await gameId(page);
  await page.locator('game-board [role=grid]').waitFor();
  await page.keyboard.press('b');
  assert.match(await page.evaluate(() => document.getElementById(document.activeElement?.getAttribute('aria-activedescendant') ?? '')?.getAttribute('aria-label')), /^b2, empty/);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  const state = await until(server, id, ({ moves }) => moves.length === 2);
  assert.equal(state.moves[0].text, 'a3');
  await page.waitForFunction((move) => document.querySelector('#announcer')?.textContent === `Nought: ${move}`, state.moves[1].text);
  assert.match(await page.locator('game-board .cell').first().getAttribute('aria-label'), /^a3, Cross/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.locator('dialog kbd').first().waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await browser.close(page);
});

test('a tap is confirmed by a second one', async () => {
  const page = await browser.open(server, '', { ...PHONE, settings: { tap: 'confirm' } });
  await page.locator('.card').first().tap();
  await page.getByRole('radio', { name: 'Same screen' }).tap();
  await page.getByRole('button', { name: 'Play', exact: true }).tap();
  const id = await gameId(page);
  const cell = page.locator('game-board .cell').nth(40);
  await cell.tap();
  await page.locator('game-board .firm-ring').waitFor();
  assert.equal((await server.api(`games/${id}`)).moves.length, 0);
  await cell.tap();
  await until(server, id, ({ moves }) => moves.length === 1);
  await browser.close(page);
});

test('a stone slides above the finger and is played where it is let go', async () => {
  const page = await browser.open(server, '', { ...PHONE, settings: { tap: 'slide' } });
  await page.locator('.card').first().tap();
  await page.getByRole('radio', { name: 'Same screen' }).tap();
  await page.getByRole('button', { name: 'Play', exact: true }).tap();
  const id = await gameId(page);
  const box = await page.locator('game-board .cell').nth(100).boundingBox();
  const finger = await page.context().newCDPSession(page);
  const touch = (type, points) => finger.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2 + 64];
  await touch('touchStart', [{ x: x - 30, y: y + 30 }]);
  await touch('touchMove', [{ x, y }]);
  await page.locator('game-board .ghost-piece').waitFor();
  await touch('touchEnd', []);
  const { view } = await until(server, id, ({ moves }) => moves.length === 1);
  assert.deepEqual(view.last, [100]);
  await browser.close(page);
});

test('everything is said in Vietnamese', async () => {
  const page = await browser.open(server, '', { settings: { language: 'vi' } });
  await page.getByText('Chơi gì đây?').waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'vi');
  const missing = variants.flatMap(({ name, rules, levels, counters }) => [
    `variant.${name}`, `variant.${name}.about`,
    ...rules.flatMap(({ key, values }) => [`rule.${key}`, ...values.filter((value) => !/^\d+$/.test(value)).map((value) => `rule.${key}.${value}`)]),
    ...levels.map(({ level }) => `level.${level}`),
    ...counters.map((counter) => `counter.${counter}`),
  ]).filter((key) => !(key in viNames || key in viGames));
  const options = await Promise.all(variants.map(({ name }) => server.api(`engines/${encodeURIComponent(name)}/options`)));
  missing.push(...options.flat().map(({ name }) => name).filter((name) => !(name in viOptions)));
  assert.deepEqual([...new Set(missing)], []);
  await page.keyboard.press(',');
  await page.getByRole('radio', { name: 'English' }).click();
  await page.locator('dialog', { hasText: 'Language' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('What shall we play?').waitFor();
  await browser.close(page);
});

test('the server refuses in Vietnamese too', async () => {
  const chess = variants.find(({ board }) => board.pieces === 'chessmen');
  const page = await browser.open(server, `analyse/${chess.name}`, { settings: { language: 'vi' } });
  await page.locator('engine-lines li .worth').first().waitFor();
  await page.keyboard.press('p');
  const says = (text) => page.waitForFunction((wanted) => document.querySelector('setup-editor [role=alert]')?.textContent === wanted, text);
  await page.getByLabel('Thế cờ dạng chữ').fill('8/8/8/8/8/8/8/4K3 w - - 0 1');
  await page.getByRole('button', { name: 'Đọc' }).click();
  await says('Thế cờ `8/8/8/8/8/8/8/4K3 w - - 0 1` không được: Đen không có vua.');
  await page.goto(`${server.url}/#/game/nothing`);
  await page.getByText('Không có ván cờ đó ở đây.').waitFor();
  await page.goto(`${server.url}/#/watch/nothing`);
  await page.getByText('Không có trận đấu `nothing`.').waitFor();
  await browser.close(page);
});

test('a refusal within a refusal is said in Vietnamese to its innermost reason', async () => {
  const page = await browser.open(server, '', { settings: { language: 'vi' } });
  await page.getByRole('button', { name: 'Nhập ván cờ' }).click();
  await page.locator('dialog textarea').fill('[Event "?"]\n\n1. e4 e4 *\n');
  await page.locator('dialog').getByRole('button', { name: 'Mở', exact: true }).click();
  const wrong = page.locator('dialog [role=alert]');
  await wrong.filter({ hasText: 'Ván 1' }).waitFor();
  const sentence = /^Ván 1, dòng \d+: nước thứ 2: nước `e4` không được: `e4` không phải nước hợp lệ ở đây\.$/;
  assert.match(await wrong.innerText(), sentence);
  await browser.close(page);
});

test('light and dark are different, and are kept', async () => {
  const page = await browser.open(server, '');
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.keyboard.press(',');
  await page.getByRole('radio', { name: 'Dark' }).click();
  assert.notEqual(await ground(), light);
  await page.reload();
  await page.locator('.card').first().waitFor();
  assert.notEqual(await ground(), light);
  await browser.close(page);
});

test('on a phone on its side the whole board is seen, with what can be done beside it', async () => {
  const { name } = variants.find(({ board }) => board.surface === 'points');
  const page = await browser.open(server, `analyse/${name}?moves=h8+i9`, { ...PHONE, viewport: { width: 740, height: 360 } });
  await page.locator('engine-lines li .worth').first().waitFor();
  const seen = await page.evaluate(() => {
    const [board, actions] = ['game-board', '.actions'].map((what) => document.querySelector(what)?.getBoundingClientRect());
    return [board.bottom <= innerHeight, actions.left >= board.right, document.documentElement.scrollWidth <= innerWidth];
  });
  assert.deepEqual(seen, [true, true, true]);
  await browser.close(page);
});
