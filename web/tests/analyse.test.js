/** Analysis, sharing and the engine room. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { clickCell } from './harness.js';
import { browser, server, test, variants } from './fixture.js';

/** A variant of stones on points, and a short game of it. */
const { name } = variants.find(({ board, rules }) => board.surface === 'points' && rules.some(({ key, default: usual }) => key === 'opening' && usual === 'none'));
const MOVES = ['h8', 'i9', 'h9', 'h10', 'g8', 'f8', 'i10', 'g7'];

const stones = (count) => (document.querySelectorAll('game-board .stones > g').length === count);

test('every variant is analysed: lines, bar, a line played by hovering', async () => {
  const page = await browser.open(server, 'watch');
  for (const variant of variants) {
    await page.goto(`${server.url}/#/analyse/${variant.name}`);
    await page.waitForFunction((wanted) => document.querySelector('.analyse-title select')?.value === wanted, variant.name);
    await page.locator('engine-lines li .worth').first().waitFor();
    assert.notEqual(await page.locator('eval-bar output').innerText(), '', variant.name);
    await page.getByRole('button', { name: 'Engine on or off' }).click();
    const before = await page.locator('game-board .stones > g').evaluateAll((all) => all.map((one) => one.getAttribute('transform') + one.dataset.code).sort());
    await page.locator('engine-lines li .moves button').first().hover();
    await page.waitForFunction((was) => {
      const now = [...document.querySelectorAll('game-board .stones > g')].map((one) => one.getAttribute('transform') + one.dataset.code).sort();
      return JSON.stringify(now) !== JSON.stringify(was);
    }, before);
    await page.locator('engine-lines li .moves button').first().click();
    await page.locator('move-tree button.here').waitFor();
  }
  await browser.close(page);
});

test('the moves of the opening book are listed with their figures, and a click plays one', async () => {
  const page = await browser.open(server, `analyse/${name}`);
  const row = page.locator('book-moves tbody tr').first();
  await row.waitFor();
  assert.equal(await page.locator('book-moves caption').innerText(), 'Opening book');
  const [move, score, share, games, source] = await row.locator('td').allInnerTexts();
  assert.match(score, /^[+-]\d/);
  assert.match(share, /^\d+ %$/);
  assert.deepEqual([games, source], ['–', 'searched']);
  await row.getByRole('button', { name: move }).click();
  await page.waitForFunction(stones, 1);
  await page.waitForURL(new RegExp(`moves=${move}`));
  // Nobody plays into a corner first, so the book does not know it.
  await page.goto(`${server.url}/#/analyse/${name}?moves=a1`);
  await page.locator('book-moves.hidden').waitFor({ state: 'attached' });
  await browser.close(page);
});

test('variations grow, are walked through, and survive a reload', async () => {
  const page = await browser.open(server, `analyse/${name}?moves=${MOVES.slice(0, 4).join('+')}`);
  await page.waitForFunction(stones, 4);
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(stones, 3);
  await clickCell(page, 0);
  await page.locator('move-tree .variation').waitFor();
  assert.match(decodeURIComponent(page.url()), /h10\+\(a\d+\)/);
  await page.reload();
  await page.locator('move-tree .variation').waitFor();
  await page.keyboard.press('Home');
  await page.waitForFunction(stones, 0);
  await browser.close(page);
});

test('the bar turns with the board', async () => {
  const page = await browser.open(server, `analyse/${name}?moves=${MOVES.join('+')}`);
  await page.waitForFunction(stones, MOVES.length);
  const origin = () => page.locator('eval-bar .share').evaluate((share) => Number.parseFloat(getComputedStyle(share).transformOrigin.split(' ')[1]));
  assert.ok(await origin() > 0, 'the first player sits below');
  await page.keyboard.press('f');
  await page.locator('game-board[data-flipped]').waitFor();
  assert.equal(await origin(), 0);
  await page.setViewportSize({ width: 844, height: 390 });
  assert.equal(await origin(), 0, 'on a phone on its side too');
  await browser.close(page);
});

test('threats, and a search that is restricted to some moves', async () => {
  const page = await browser.open(server, `analyse/${name}?moves=${MOVES.join('+')}`);
  await page.locator('engine-lines li .worth').first().waitFor();
  await page.keyboard.press('t');
  // Three lines are searched, and one of them is a blunder, which threatens nobody.
  await page.waitForFunction(() => {
    const [rows, rings] = ['engine-lines li .worth', 'game-board .arrow-threat'].map((what) => document.querySelectorAll(what).length);
    return rows === 3 && rings >= 1 && rings < 3;
  });
  await page.keyboard.press('t');
  await page.keyboard.press('r');
  await clickCell(page, 0);
  await clickCell(page, 1);
  assert.equal(await page.locator('game-board .allowed').count(), 2);
  await page.keyboard.press('r');
  await page.waitForFunction(() => {
    const first = [...document.querySelectorAll('engine-lines li .moves button:first-child')].map((button) => button.textContent);
    return first.length === 2 && first.every((move) => /^[ab]/.test(move ?? ''));
  });
  await browser.close(page);
});

test('a position is set up freely, and one that cannot be is refused with a sentence', async () => {
  const page = await browser.open(server, `analyse/${name}`);
  await page.locator('engine-lines li .worth').first().waitFor();
  await page.keyboard.press('p');
  await page.locator('setup-editor').waitFor();
  for (const cell of [0, 1, 2, 3]) await clickCell(page, cell);
  await page.waitForFunction(stones, 4);
  await page.getByRole('radio', { name: 'White' }).click();
  await page.getByRole('button', { name: 'Analyse it' }).click();
  await page.waitForURL(/position=/);
  await page.waitForFunction(stones, 4);
  await page.locator('engine-lines li .worth').first().waitFor();
  await page.keyboard.press('p');
  await page.getByLabel('Position as text').fill('nonsense');
  await page.getByRole('button', { name: 'Read' }).click();
  await page.waitForFunction(() => (document.querySelector('setup-editor [role=alert]')?.textContent ?? '').length > 10);
  await browser.close(page);
});

test('a king in check is marked and read out', async () => {
  const { name: chess } = variants.find(({ board }) => board.pieces === 'chessmen');
  const page = await browser.open(server, `analyse/${chess}?moves=f2f3+e7e5+g2g4+d8h4`);
  await page.locator('game-board .checked').waitFor();
  assert.equal(await page.locator('game-board .cell[aria-label*="in check"]').getAttribute('aria-label'), 'e1, White king, in check');
  await page.keyboard.press('ArrowLeft');
  await page.locator('game-board .checked').waitFor({ state: 'detached' });
  await browser.close(page);
});

test('a link to a review of what is no game opens the moves that are one', async () => {
  const page = await browser.open(server, `review/${name}?moves=${MOVES.slice(0, 3).join('+')}+h8`);
  await page.waitForURL(/#\/analyse\//);
  await page.waitForFunction(stones, 3);
  await browser.close(page);
});

test('moves are shown as people write them, and carried as the engine does', async () => {
  const variant = variants.find(({ board }) => board.pieces === 'chessmen');
  const moves = 'e2e4 e7e5 (c7c5 g1f3) g1f3 b8c6 f1b5 g8f6 e1g1';
  const page = await browser.open(server, `analyse/${variant.name}?moves=${moves.replaceAll(' ', '+')}`);
  await page.locator('move-tree .variation', { hasText: 'Nf3' }).waitFor();
  assert.deepEqual(await page.locator('move-tree button').allInnerTexts(), ['e4', 'e5', 'c5', 'Nf3', 'Nf3', 'Nc6', 'Bb5', 'Nf6', 'O-O']);
  assert.equal(await page.locator('#announcer').textContent(), 'O-O');
  await page.waitForFunction(() => /^(N|B|R|Q|K|O-O|[a-h](x|\d))/.test(document.querySelector('engine-lines .moves button')?.textContent ?? ''));
  assert.ok(decodeURIComponent(page.url()).includes('f1b5+g8f6+e1g1'));
  await page.getByRole('button', { name: 'Engine on or off' }).click();
  await page.locator('engine-lines .moves button').first().click();
  await page.waitForURL((url) => /e1g1\+[a-h]\d[a-h]\d/.test(decodeURIComponent(url.hash)));
  await browser.close(page);
});

test('what pieces do not show can be set up: castling, taking in passing, captured stones', async () => {
  const chess = variants.find(({ board }) => board.pieces === 'chessmen');
  let page = await browser.open(server, `analyse/${chess.name}?position=${encodeURIComponent('r3k3/8/8/3pP3/8/8/8/4K2R w Kq - 0 1')}`);
  await page.locator('engine-lines li .worth').first().waitFor();
  await page.keyboard.press('p');
  await page.getByLabel('White O-O', { exact: true }).uncheck();
  await page.waitForFunction(() => document.querySelector('setup-editor input[type=text]').value.includes(' w q - '));
  await page.getByLabel('En passant').selectOption('d6');
  await page.waitForFunction(() => document.querySelector('setup-editor input[type=text]').value.includes(' w q d6 '));
  await page.getByRole('button', { name: 'Analyse it' }).click();
  await page.waitForURL(/d6/);
  const view = await server.api('positions', { variant: chess.name, position: 'r3k3/8/8/3pP3/8/8/8/4K2R w q d6 0 1' });
  await clickCell(page, view.legal.find(({ text }) => text === 'e5d6').from);
  await clickCell(page, view.legal.find(({ text }) => text === 'e5d6').to);
  await page.locator('move-tree button', { hasText: 'exd6' }).waitFor();
  await browser.close(page);
  const taking = variants.find(({ counters }) => counters.includes('captured'));
  page = await browser.open(server, `analyse/${taking.name}`);
  await page.locator('engine-lines li .worth').first().waitFor();
  await page.keyboard.press('p');
  await clickCell(page, 0);
  await page.getByRole('radio', { name: 'White' }).click();
  await page.getByLabel('Captured by the second player').selectOption('6');
  await page.waitForFunction(() => document.querySelector('setup-editor input[type=text]').value.endsWith(' o 0 6'));
  await browser.close(page);
});

test('a game is played on from a position that was analysed', async () => {
  const page = await browser.open(server, `analyse/${name}?moves=${MOVES.join('+')}`);
  await page.waitForFunction(stones, MOVES.length);
  await page.keyboard.press('g');
  await page.getByRole('radio', { name: 'Same screen' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForURL(/#\/game\//);
  const id = page.url().split('/').at(-1);
  await page.waitForFunction(stones, MOVES.length);
  await clickCell(page, 0);
  await page.waitForFunction(stones, MOVES.length + 1);
  const { given, moves } = await server.api(`games/${id}`);
  assert.deepEqual([given, moves.length], [MOVES, 1]);
  await browser.close(page);
});

test('a forced win is counted in moves of the winner', async () => {
  const page = await browser.open(server, '');
  const texts = await page.evaluate(async () => {
    const { cellText, scoreText } = await import('/score.js');
    return [{ win: 1 }, { win: 2 }, { win: 7 }, { win: -7 }, { win: -8 }, { cp: -35 }, { discs: 4 }].map(scoreText).concat([{ cp: 4 }, { cp: -4 }, { cp: -6 }].map(cellText));
  });
  assert.deepEqual(texts, ['#1', '#1', '#4', '#-4', '#-4', '−0.35', '+4', '0.0', '0.0', '−0.1']);
  await browser.close(page);
});

test('games go out and come back the same in every format', async () => {
  const page = await browser.open(server, `analyse/${name}?moves=${MOVES.join('+')}`);
  for (const format of variants.find((one) => one.name === name).formats) {
    await page.waitForFunction(stones, MOVES.length);
    await page.keyboard.press('s');
    await page.locator('dialog select').selectOption(format);
    await page.waitForFunction(() => (document.querySelector('dialog textarea')?.value ?? '') !== '');
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save' }).click()]);
    const text = readFileSync(await file.path(), 'utf8');
    await page.getByRole('button', { name: 'Import a game' }).click();
    const dialog = page.locator('dialog').last();
    await dialog.locator('input[type=file]').setInputFiles({ name: `game.${format}`, mimeType: 'text/plain', buffer: Buffer.from(text) });
    await page.waitForFunction((wanted) => [...document.querySelectorAll('dialog textarea')].at(-1)?.value.trim() === wanted.trim(), text);
    // Another game in between, so that it is seen to come back.
    await page.evaluate((path) => (location.hash = path), `#/analyse/${name}`);
    await page.waitForFunction(stones, 0);
    await dialog.getByRole('button', { name: 'Open' }).click();
    await page.waitForFunction((count) => document.querySelectorAll('move-tree button').length === count, MOVES.length);
    const shown = await page.locator('move-tree button').allInnerTexts();
    assert.deepEqual(shown, MOVES, format);
    await page.locator('dialog').waitFor({ state: 'detached' });
  }
  await browser.close(page);
});

test('of a file with several games one is chosen, and a file of bytes is one too', async () => {
  const header = [20, 26, 1, 1, 2, 0, 0, 0, 0, 0, 0xea, 7, 8, 0, 0, 0];
  const game = (/** @type {number[]} */ ...moves) => [...Array(8).fill(0), ...moves, ...Array(60 - moves.length).fill(0)];
  const file = Buffer.from([...header, ...game(56), ...game(56, 64, 33)]);
  const page = await browser.open(server, 'analyse/othello');
  await page.waitForFunction(stones, 4);
  await page.keyboard.press('s');
  await page.getByRole('button', { name: 'Import a game' }).click();
  const dialog = page.locator('dialog').last();
  assert.ok(await dialog.getByLabel('Number of the game').isHidden(), 'nothing to choose from yet');
  await dialog.locator('input[type=file]').setInputFiles({ name: 'games.wtb', mimeType: 'application/octet-stream', buffer: file });
  await page.waitForFunction(() => [...document.querySelectorAll('dialog textarea')].at(-1)?.value === 'games.wtb');
  await dialog.getByRole('button', { name: 'Open' }).click();
  await dialog.getByLabel('Number of the game').fill('2');
  await dialog.getByRole('button', { name: 'Open' }).click();
  await page.waitForFunction(() => document.querySelectorAll('move-tree button').length === 3);
  assert.deepEqual(await page.locator('move-tree button').allInnerTexts(), ['f5', 'd6', 'c3']);
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('s');
  await page.locator('dialog select').selectOption('wtb');
  await page.waitForFunction(() => document.querySelector('dialog textarea')?.value.includes('save it'));
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save' }).click()]);
  const bytes = readFileSync(await saved.path());
  assert.deepEqual([bytes.length, ...bytes.subarray(24, 28)], [84, 56, 64, 33, 0]);
  await browser.close(page);
});

test('a game that is pasted opens, and of several one is chosen', async () => {
  const page = await browser.open(server, 'watch');
  await page.locator('.match-form').waitFor();
  const paste = (text) => page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', pasted);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, text);
  const game = '[Event "Cup"]\n[White "Ann"]\n[Black "Bob"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 *\n';
  await paste(game);
  await page.waitForFunction(() => [...document.querySelectorAll('move-tree button')].map(({ textContent }) => textContent).join() === 'e4,e5,Nf3');
  await paste(`${game}\n${game}`);
  const dialog = page.locator('dialog');
  await dialog.getByLabel('Number of the game').fill('2');
  await dialog.getByRole('button', { name: 'Open' }).click();
  await dialog.waitFor({ state: 'detached' });
  await paste('this is no game');
  await page.locator('.toast.wrong').waitFor();
  await browser.close(page);
});

test('what is no game is refused with a sentence', async () => {
  const page = await browser.open(server, '');
  await page.getByRole('button', { name: 'Import a game' }).click();
  await page.locator('dialog textarea').fill('this is no game');
  await page.locator('dialog').getByRole('button', { name: 'Open' }).click();
  await page.waitForFunction(() => (document.querySelector('dialog [role=alert]')?.textContent ?? '').length > 10);
  await browser.close(page);
});

test('pictures of the board', async () => {
  const page = await browser.open(server, `analyse/${name}?moves=${MOVES.join('+')}`);
  await page.waitForFunction(stones, MOVES.length);
  await page.keyboard.press('s');
  for (const [kind, start] of [['SVG', '<svg'], ['PNG', '\x89PNG']]) {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: `Picture (${kind})` }).click()]);
    assert.ok(readFileSync(await file.path(), 'latin1').includes(start), kind);
  }
  await browser.close(page);
});

test('the engine room shows the caches, looks a position up and forgets', async () => {
  const page = await browser.open(server, `analyse/${name}?moves=${MOVES.join('+')}`);
  await page.locator('engine-lines li .worth').first().waitFor();
  await page.keyboard.press('d');
  await page.locator('engine-room [data-part=search_tt] dd').first().waitFor();
  await page.getByRole('button', { name: 'Look up' }).click();
  await page.locator('engine-room table tr').nth(1).waitFor();
  await page.getByRole('button', { name: 'Clear the caches' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Clear the caches' }).click();
  await page.locator('.toast', { hasText: 'Done' }).waitFor();
  await page.keyboard.press('d');
  await page.locator('engine-room').waitFor({ state: 'hidden' });
  await browser.close(page);
});

test('the engine room lists what idle improvement searches next, and a click opens it', async () => {
  const page = await browser.open(server, `analyse/${name}?moves=${MOVES.join('+')}`);
  await page.locator('engine-lines li .worth').first().waitFor();
  await page.keyboard.press('d');
  const first = page.locator('engine-room [data-part=idle-queue] a').first();
  await first.waitFor();
  assert.match(await first.getAttribute('href') ?? '', /^#\/analyse\//);
  await first.click();
  await page.waitForFunction((before) => location.hash !== before, `#/analyse/${name}?moves=${MOVES.join('+')}`);
  await browser.close(page);
});

test('a file keeps its names, comments, clocks and variations, in the tree and in what is written', async () => {
  const pgn = '[Event "Open"]\n[White "Ann"]\n[Black "Bob"]\n[Result "0-1"]\n\n1. e4 $1 {[%clk 0:03:00] best} (1. d4 {solid} d5 (1... Nf6)) 1... e5 0-1\n';
  const page = await browser.open(server, 'analyse/chess');
  await page.locator('game-board .cell').first().waitFor();
  await page.keyboard.press('s');
  await page.getByRole('button', { name: 'Import a game' }).click();
  const dialog = page.locator('dialog').last();
  await dialog.locator('textarea').fill(pgn);
  await dialog.getByRole('button', { name: 'Open' }).click();
  const tree = page.locator('move-tree');
  await tree.getByText('Ann – Bob · 0-1 · Open').waitFor();
  await tree.getByText('⏱ 0:03:00 best').waitFor();
  await tree.locator('.variation', { hasText: 'Nf6' }).first().waitFor();
  await tree.getByText('solid').waitFor();
  // A reload has it all from the link.
  await page.reload();
  await tree.getByText('⏱ 0:03:00 best').waitFor();
  await page.locator('game-board .cell').first().waitFor();
  await page.keyboard.press('s');
  await page.locator('dialog select').selectOption('pgn');
  await page.waitForFunction(() => document.querySelector('dialog textarea')?.value.includes('[Event'));
  const written = await page.locator('dialog textarea').inputValue();
  for (const part of ['[Event "Open"]', '[White "Ann"]', '[Black "Bob"]', '0-1', '[%clk 0:03:00] best', '(1. d4 {solid} d5 (1... Nf6))', '$1']) assert.ok(written.includes(part), `${part} is not in ${written}`);
  await browser.close(page);
});

test('moves without spaces are read', async () => {
  const page = await browser.open(server, 'analyse/othello');
  await page.locator('game-board .cell').first().waitFor();
  await page.keyboard.press('s');
  await page.getByRole('button', { name: 'Import a game' }).click();
  const dialog = page.locator('dialog').last();
  await dialog.locator('textarea').fill('f5d6c3d3');
  await dialog.getByRole('button', { name: 'Open' }).click();
  await page.waitForFunction(() => document.querySelectorAll('move-tree button').length === 4);
  await browser.close(page);
});

test('an illegal move in a link is told once, and the link stays', async () => {
  const path = `analyse/${name}?moves=h8+i9+h8+j9+k9`;
  const page = await browser.open(server, path);
  await page.waitForFunction(stones, 2);
  assert.equal(await page.locator('.toast').count(), 1);
  assert.ok(page.url().endsWith(path));
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(stones, 1);
  assert.ok(!page.url().includes('k9'));
  await browser.close(page);
});

test('lines stay as they are under the pointer', async () => {
  const page = await browser.open(server, 'analyse/chess');
  const first = page.locator('engine-lines li').first();
  await first.locator('.moves button').first().hover();
  const before = await first.innerText();
  const depth = () => page.locator('engine-lines .facts').innerText();
  const then = await depth();
  await page.waitForFunction((was) => document.querySelector('engine-lines .facts').innerText !== was, then);
  assert.equal(await first.innerText(), before);
  await browser.close(page);
});

test('what cannot be looked up empties the list, and what was found leads on', async () => {
  const page = await browser.open(server, 'analyse/connect4');
  await page.locator('engine-lines .worth').first().waitFor();
  await page.keyboard.press('d');
  const room = page.locator('engine-room');
  await room.getByRole('button', { name: 'Look up' }).click();
  await room.locator('table a').nth(1).waitFor();
  await room.locator('input[type=text]').fill('zz');
  await room.getByRole('button', { name: 'Look up' }).click();
  await room.getByRole('alert').waitFor();
  assert.equal(await room.locator('table').count(), 0);
  await room.locator('input[type=text]').fill('d');
  await room.getByRole('button', { name: 'Look up' }).click();
  await room.locator('table a').nth(1).click();
  await page.waitForFunction(() => document.querySelectorAll('game-board .stones > g').length === 2);
  await browser.close(page);
});

test('the engine room stands beside the board where there is room, and is a page elsewhere', async () => {
  for (const [width, beside] of [[1400, true], [800, false]]) {
    const page = await browser.open(server, 'analyse/connect4', { viewport: { width, height: 900 } });
    await page.locator('engine-lines .worth').first().waitFor();
    await page.keyboard.press('d');
    await page.locator('engine-room [data-part=search_tt] dd').first().waitFor();
    assert.equal(await page.locator('game-board').isVisible(), beside);
    const room = await page.locator('engine-room').boundingBox();
    if (beside) {
      const side = await page.locator('.analyse-page .side').boundingBox();
      assert.ok(side.x + side.width <= room.x, 'nothing is covered');
    } else assert.equal(room.width, width);
    await page.keyboard.press('d');
    await page.locator('game-board').waitFor();
    await browser.close(page);
  }
});

test('the analysis opens on the game that is on the board', async () => {
  const person = { kind: 'person' };
  const { game, seat_tokens: seats } = await server.api('games', { variant: 'chess', first: person, second: person });
  await server.api(`games/${game.id}/moves`, { move: 'e2e4' }, seats.first);
  const page = await browser.open(server, `game/${game.id}`);
  await page.locator('move-tree button').first().waitFor();
  await page.getByRole('link', { name: 'Analyse' }).click();
  await page.waitForURL(/#\/analyse\/chess\?moves=e2e4/);
  await page.getByRole('link', { name: 'Watch' }).click();
  await page.locator('.match-form').waitFor();
  await browser.close(page);
});
