/** Reviews: verdicts that stay, mistakes to be tried again, and games that are decided. */
import assert from 'node:assert/strict';
import { clickCell } from './harness.js';
import { browser, server, test } from './fixture.js';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** Black, the first player, has a row of four and lets it go; later he wins by five. */
const FIVE = ['h8', 'a1', 'i8', 'c3', 'j8', 'e5', 'k8', 'g2', 'a15', 'o15', 'l8'];
/** Scholar's mate; the blunder is Black's third move. */
const MATE = ['e2e4', 'e7e5', 'f1c4', 'b8c6', 'd1h5', 'g8f6', 'h5f7'];

const finished = (page) => page.locator('progress.finished').waitFor({ state: 'attached', timeout: 180000 });
const here = (page) => page.locator('move-tree button.here').innerText();

test('a review keeps the better move back until it was tried, and counts only the own mistakes', async () => {
  const page = await browser.open(server, `review/chess?moves=${MATE.join('+')}&side=second`);
  await finished(page);
  assert.match(await page.locator('.accuracy').first().innerText(), /\d %/);
  await page.getByRole('button', { name: 'Next mistake' }).click();
  await page.locator('.comment .quality').waitFor();
  // Moves are written one way.
  assert.match(await here(page), /^Nf6\s*\?\?/);
  assert.match(await page.locator('.comment').innerText(), /^Nf6\s*\?\?/);
  assert.doesNotMatch(await page.locator('.comment').innerText(), /Best was/);
  assert.equal(await page.locator('game-board .arrow-best').count(), 0);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Black to move: find something better.').waitFor();
  const { legal } = await server.api('positions', { variant: 'chess', moves: MATE.slice(0, 5) });
  const move = async (text) => {
    const { from, to } = legal.find((one) => one.text === text);
    await clickCell(page, from);
    await clickCell(page, to);
  };
  await move('a7a6');
  await page.locator('.comment', { hasText: 'a6 is not the move. Try once more.' }).waitFor();
  await move('d8e7');
  await page.locator('.comment', { hasText: 'Qe7 is a good move.' }).waitFor();
  assert.match(await here(page), /^Nf6/);
  await page.getByText(/Best was/).waitFor();
  await browser.close(page);
});

test('the better move is shown on request', async () => {
  const page = await browser.open(server, `review/chess?moves=${MATE.join('+')}`);
  await finished(page);
  await page.keyboard.press('n');
  await page.getByRole('button', { name: 'Show the better move' }).click();
  await page.getByText(/Best was/).waitFor();
  await page.locator('game-board .arrow-best').first().waitFor({ state: 'attached' });
  await browser.close(page);
});

test('a review is there at once when it is opened again, the same after a crash, and deeper on demand', async () => {
  const path = `review/chess?moves=${MATE.join('+')}`;
  let page = await browser.open(server, path);
  await finished(page);
  const verdicts = () => page.locator('.summary').innerText();
  const before = await verdicts();
  await server.kill();
  await server.run();
  const { id } = await server.api('reviews', { variant: 'chess', moves: MATE });
  assert.ok((await server.api(`reviews/${id}`)).done, 'nothing is searched again');
  await page.close();
  page = await browser.open(server, path);
  await finished(page);
  assert.equal(await verdicts(), before);
  await page.getByRole('button', { name: 'Look deeper' }).click();
  await page.getByRole('button', { name: 'Deep review' }).waitFor({ timeout: 180000 });
  await browser.close(page);
});

test('the moments that decided a game are told in the words of the game, in both languages, and lead to their moves', async () => {
  const games = { chess: MATE, freestyle: ['h8', 'g9', 'i8', 'i9', 'j8', 'o15', 'k8', 'a1', 'l8'] };
  const told = {
    chess: { en: '3… Nf6 It gave a mate at f7.', vi: '3… Nf6 Nước này cho đối phương nước chiếu hết ở f7.' },
    freestyle: { en: '3… o15 Overlooked: the opponent’s open three at k8.', vi: '3… o15 Bỏ sót ba hở của đối phương ở k8.' },
  };
  for (const [variant, sentences] of Object.entries(told)) {
    for (const [language, sentence] of Object.entries(sentences)) {
      const page = await browser.open(server, `review/${variant}?moves=${games[variant].join('+')}&side=second`, { ...(language === 'vi' ? PHONE : {}), settings: { language } });
      await finished(page);
      const moments = page.locator('.moments li button');
      await moments.first().waitFor();
      const words = (await moments.allTextContents()).map((text) => text.replace(/\s+/g, ' '));
      assert.ok(words.length <= 3 && words.includes(sentence), JSON.stringify(words));
      await moments.nth(words.indexOf(sentence)).click();
      await page.locator('.comment', { hasText: sentence.split(' ')[1] }).waitFor();
      await browser.close(page);
    }
  }
});

test('a game that is over is shown as decided everywhere', async () => {
  const games = { chess: [MATE, { en: /White wins/, vi: /Trắng thắng/ }], freestyle: [FIVE, { en: /Black wins/, vi: /Đen thắng/ }] };
  for (const [variant, language, kind] of [['chess', 'en', 'analyse'], ['freestyle', 'vi', 'analyse'], ['chess', 'vi', 'review'], ['freestyle', 'en', 'review']]) {
    const [moves, sentences] = games[variant];
    const path = `${kind}/${variant}?moves=${moves.join('+')}`;
    const page = await browser.open(server, path, { settings: { language } });
    await page.locator('eval-bar[aria-valuenow="100"]').waitFor();
    assert.equal(await page.locator('eval-bar output').innerText(), '1–0', path);
    await page.getByText(sentences[language]).first().waitFor();
    assert.equal(await page.locator('engine-lines li').count(), 0);
    if (kind === 'review') {
      await finished(page);
      // The last move ends the game; it does not lead to a win in one.
      assert.match(await page.locator('.comment').innerText(), /→ 1–0/);
      assert.doesNotMatch(await page.locator('.comment').innerText(), /→ #/);
    }
    await browser.close(page);
  }
});

test('on a phone board, verdict, graph and buttons fit one screen, upright and on its side', async () => {
  for (const [width, height] of [[390, 844], [375, 667], [844, 390]]) {
    const page = await browser.open(server, `review/chess?moves=${MATE.join('+')}&side=second`, { ...PHONE, viewport: { width, height } });
    await finished(page);
    await page.getByRole('button', { name: 'Next mistake' }).tap();
    await page.locator('.comment .quality').waitFor();
    const bottom = await page.locator('.places').evaluate((bar) => (getComputedStyle(bar).position === 'fixed' ? bar.getBoundingClientRect().top : innerHeight));
    assert.equal(await page.evaluate(() => scrollY), 0);
    for (const part of ['game-board', '.comment', 'score-graph', '.actions']) {
      const box = await page.locator(part).first().boundingBox();
      assert.ok(box.width > 200 && box.y >= 0 && box.y + box.height <= bottom + 1, `${part} at ${width}×${height}: ${JSON.stringify(box)}, ${bottom}`);
    }
    await browser.close(page);
  }
});
