/** The first minute on a phone and at a desk: choosing, tapping, being refused, rules, the end, friends. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { en } from '../app/lang/en.js';
import { viGames } from '../app/lang/vi-games.js';
import { vi } from '../app/lang/vi.js';
import { clickCell, gameId, until } from './harness.js';
import { browser, server, test, variants } from './fixture.js';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
/** A newcomer has no settings. */
const NEW = { settings: { tap: 'auto' } };

const stones = variants.find(({ board }) => board.surface === 'points');
const chess = variants.find(({ board }) => board.pieces === 'chessmen');

/** The cell of a name such as `e4`. */
function cellOf({ board }, name) {
  const { columns, rows } = board.coordinates;
  return rows.indexOf(name.slice(1)) * board.columns + columns.indexOf(name[0]);
}

/** What is on the screen: every element with its place and its words. Colours do not count, for a tap always changes some. */
function seen() {
  const shown = [...document.querySelectorAll('body *')].flatMap((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const isIn = width > 1 && height > 1 && left < innerWidth && top < innerHeight && left + width > 0 && top + height > 0;
    if (!isIn || getComputedStyle(element).visibility === 'hidden') return [];
    const words = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data).join(' ');
    return [`${element.localName} ${[left, top, width, height].map(Math.round)} ${words}`];
  });
  return shown.join('\n');
}

/** Counts taps, and fails for one after which the screen stays as it was. */
class Finger {
  taps = 0;

  constructor(page) {
    this.page = page;
  }

  async tap(target) {
    const before = await this.page.evaluate(seen);
    await target.tap();
    this.taps++;
    for (let tries = 0; await this.page.evaluate(seen) === before; tries++) {
      if (tries === 800) throw new Error(`nothing is seen of a tap on ${target}`);
      await pause(25);
    }
  }

  cell(number) {
    return this.tap(this.page.locator('game-board:not([small]) .cell').nth(number));
  }
}

/** A page that holds seats of a game that was made through the API. */
async function seated(wish, tokens, options = {}) {
  const made = await server.api('games', wish);
  const page = await browser.open(server, '', options);
  await page.evaluate(([id, kept]) => localStorage.setItem('polyply.seats', JSON.stringify({ [id]: kept })), [made.game.id, tokens(made.seat_tokens)]);
  await page.goto(`${server.url}/#/game/${made.game.id}`);
  await page.locator('play-page game-board .cell').first().waitFor();
  return { page, id: made.game.id, tokens: made.seat_tokens };
}

const person = { kind: 'person' };
const open = { kind: 'open' };

/** A game between two people; the page is the host's. */
async function between(variant, options) {
  const game = await seated({ variant, first: person, second: open }, (tokens) => tokens, options);
  const joined = await server.api(`games/${game.id}/join`, { side: 'second', name: 'Lan' });
  return { ...game, guest: joined.seat_tokens.second };
}

for (const [language, words] of Object.entries({ en, vi })) {
  /** Begins the game of a card. Returns its id. */
  const begin = async (page, finger, card) => {
    await finger.tap(card);
    await finger.tap(page.getByRole('button', { name: words['home.play'], exact: true }));
    return gameId(page);
  };
  /** The person's turn has come, and the page says so. */
  const turn = async (page, id, ply) => {
    const { view } = await until(server, id, ({ moves }) => moves.length === ply);
    await page.getByText(words['play.your-turn']).waitFor();
    return view;
  };

  test(`from the address to the fifth move in eight taps, stones on a phone, in ${language}`, async () => {
    const page = await browser.open(server, '', { ...PHONE, settings: { ...NEW.settings, language } });
    assert.equal(await page.locator('.card').first().getAttribute('data-variant'), variants[0].name, 'the first game comes first');
    const finger = new Finger(page);
    const id = await begin(page, finger, page.locator('.card').first());
    for (let ply = 0; ply < 5; ply += 2) {
      const { legal } = await turn(page, id, ply);
      const free = legal.find(({ text }) => ['j10', 'm13', 'e5', 'g7', 'o4'].includes(text));
      await finger.cell(free.to);
      await finger.tap(page.getByRole('button', { name: words['play.place'].replace('{move}', free.text) }));
      await until(server, id, ({ moves }) => moves.length > ply);
    }
    assert.ok((await server.api(`games/${id}`)).moves.length >= 5);
    assert.ok(finger.taps <= 8, `${finger.taps} taps`);
    await browser.close(page);
  });

  test(`from the address to the fifth move in eight taps, chess on a phone, in ${language}`, async () => {
    const page = await browser.open(server, '', { ...PHONE, settings: { ...NEW.settings, language } });
    const finger = new Finger(page);
    const id = await begin(page, finger, page.locator(`.card[data-variant=${chess.name}]`));
    for (const [ply, move] of [[0, 'e2e4'], [2, 'g1f3'], [4, 'f1e2']]) {
      await turn(page, id, ply);
      await finger.cell(cellOf(chess, move.slice(0, 2)));
      await finger.cell(cellOf(chess, move.slice(2)));
      await until(server, id, ({ moves }) => moves.length > ply);
    }
    assert.ok(finger.taps <= 8, `${finger.taps} taps`);
    await browser.close(page);
  });
}

test('what is explained in a game hides nothing of the board, on a phone, on its side and at a desk', async () => {
  for (const variant of [stones, chess]) {
    const game = await server.api('games', { variant: variant.name, first: person, second: person });
    // Red crosses are explained at a desk too.
    if (variant === stones) for (const move of ['j10', 'k10']) await server.api(`games/${game.game.id}/moves`, { move }, game.seat_tokens.first);
    for (const options of [PHONE, { ...PHONE, viewport: { width: 844, height: 390 } }, { viewport: { width: 1280, height: 800 } }]) {
      const page = await browser.open(server, '', { ...options, ...NEW });
      await page.evaluate(([id, tokens]) => localStorage.setItem('polyply.seats', JSON.stringify({ [id]: tokens })), [game.game.id, game.seat_tokens]);
      await page.goto(`${server.url}/#/game/${game.game.id}`);
      await page.locator('play-page .note').waitFor();
      const [note, board] = [await page.locator('play-page .note').boundingBox(), await page.locator('game-board > svg.board').boundingBox()];
      const what = `${variant.name}: ${JSON.stringify([note, board])}`;
      assert.ok(note.y >= board.y + board.height || note.x >= board.x + board.width, what);
      assert.ok(note.y + note.height <= page.viewportSize().height, what);
      await browser.close(page);
    }
  }
});

test('one tap is enough where cells are large, on a phone as at a desk', async () => {
  const small = variants.filter(({ board }) => board.columns <= 9 && board.pieces !== 'chessmen');
  for (const [options, wanted] of [[PHONE, small], [{}, [stones]]]) {
    for (const { name } of wanted) {
      const { page, id } = await seated({ variant: name, first: person, second: person }, (tokens) => tokens, { ...options, ...NEW });
      const { view } = await server.api(`games/${id}`);
      const move = view.legal.find(({ from }) => from === undefined);
      const cell = page.locator('game-board .cell').nth(move.to);
      await (options === PHONE ? cell.tap() : cell.click());
      await until(server, id, ({ moves }) => moves.length === 1);
      await browser.close(page);
    }
  }
});

test('a move that waits to be confirmed is drawn, by taps and by dragging', async () => {
  const game = { variant: chess.name, first: person, second: person };
  const { page, id } = await seated(game, (tokens) => tokens, { settings: { tap: 'confirm' } });
  await clickCell(page, cellOf(chess, 'e2'));
  await clickCell(page, cellOf(chess, 'e4'));
  await page.locator('game-board .ghost .ghost-piece.firm').waitFor();
  await page.locator('game-board .ghost .arrow-own').waitFor({ state: 'attached' });
  assert.equal((await server.api(`games/${id}`)).moves.length, 0);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.locator('game-board .ghost .ghost-piece').waitFor({ state: 'detached' });
  const [from, to] = await Promise.all(['d2', 'd4'].map((name) => page.locator('game-board .cell').nth(cellOf(chess, name)).boundingBox()));
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 });
  await page.mouse.up();
  await page.getByRole('button', { name: 'Play d4' }).click();
  const { moves } = await until(server, id, (now) => now.moves.length === 1);
  assert.equal(moves[0].text, 'd2d4');
  await browser.close(page);
});

test('what a pawn becomes is chosen at its square', async () => {
  const game = { variant: chess.name, position: '8/P3k3/8/8/8/8/8/4K3 w - - 0 1', first: person, second: person };
  for (const options of [PHONE, {}]) {
    const { page, id } = await seated(game, (tokens) => tokens, { ...options, ...NEW });
    const press = (name) => page.locator('game-board .cell').nth(cellOf(chess, name))[options === PHONE ? 'tap' : 'click']();
    await press('a7');
    await press('a8');
    await page.locator('dialog.chooser').waitFor();
    const [chooser, square] = [await page.locator('dialog.chooser').boundingBox(), await page.locator('game-board .cell').nth(cellOf(chess, 'a8')).boundingBox()];
    assert.ok(Math.abs(chooser.x + chooser.width / 2 - square.x - square.width / 2) < square.width, 'it is in the column of the square');
    assert.ok(Math.abs(chooser.y - square.y) < square.height, 'it begins at the square');
    assert.equal((await server.api(`games/${id}`)).moves.length, 0, 'the tap that opens it chooses nothing');
    await page.locator('dialog.chooser button').first().click();
    assert.equal((await until(server, id, ({ moves }) => moves.length === 1)).moves[0].text, 'a7a8q');
    await browser.close(page);
  }
});

test('a move chosen while the opponent thinks is played in time, unless it is cancelled', async () => {
  const { page, id, tokens, guest } = await between(chess.name, { ...PHONE, ...NEW });
  const finger = new Finger(page);
  await server.api(`games/${id}/moves`, { move: 'e2e4' }, tokens.first);
  await page.getByText('Black to move').waitFor();
  await finger.cell(cellOf(chess, 'g1'));
  await finger.cell(cellOf(chess, 'f3'));
  await page.getByText('Next move planned').waitFor();
  await server.api(`games/${id}/moves`, { move: 'e7e5' }, guest);
  await until(server, id, ({ moves }) => moves[2]?.text === 'g1f3');
  await page.getByText('Black to move').waitFor();
  await finger.cell(cellOf(chess, 'f1'));
  await finger.cell(cellOf(chess, 'c4'));
  await finger.cell(cellOf(chess, 'h5'));
  await page.getByText('Next move planned').waitFor({ state: 'detached' });
  await server.api(`games/${id}/moves`, { move: 'b8c6' }, guest);
  await page.getByText('Your turn').waitFor();
  assert.equal((await server.api(`games/${id}`)).moves.length, 4);
  await browser.close(page);
});

test('a tap that is refused says why at the cell, in both languages', async () => {
  const said = { en: [/second stone must be at least 3 points away/, /cell j10 is taken/], vi: [/cách quân đầu ít nhất 3 ô/, /ô j10 đã có quân/i] };
  for (const [language, [distance, taken]] of Object.entries(said)) {
    const { page, id, tokens } = await seated({ variant: stones.name, first: person, second: person }, (kept) => kept, { ...PHONE, settings: { tap: 'auto', language } });
    for (const move of ['j10', 'k10']) await server.api(`games/${id}/moves`, { move }, tokens.first);
    await page.locator('game-board .forbidden').first().waitFor();
    await page.locator('game-board .cell').nth(cellOf(stones, 'j11')).tap();
    await page.locator('game-board .tip', { hasText: distance }).waitFor();
    await page.locator('game-board .cell').nth(cellOf(stones, 'j10')).tap();
    await page.locator('game-board .tip', { hasText: taken }).waitFor();
    await page.locator('game-board .tip a').click();
    await page.locator('rules-page .rule-parts li').first().waitFor();
    await browser.close(page);
  }
  const { page } = await seated({ variant: chess.name, first: person, second: person }, (kept) => kept);
  await clickCell(page, cellOf(chess, 'e2'));
  await clickCell(page, cellOf(chess, 'e5'));
  await page.locator('game-board .tip', { hasText: "A pawn can't go to e5 from there." }).waitFor();
  await browser.close(page);
});

test('every game has rules with pictures and a lesson that its accepted moves solve, in both languages', async () => {
  for (const { name } of variants) {
    const { rules, lessons } = await server.api(`variants/${name}/guide`);
    assert.ok(rules.length >= 2 && lessons.length === 3, name);
    const keys = [...rules.map((_, at) => `rules.${name}.${at}`), ...lessons.flatMap((_, at) => [`lesson.${name}.${at}.task`, `lesson.${name}.${at}.praise`])];
    assert.deepEqual(keys.filter((key) => !viGames[key]), [], name);
    const page = await browser.open(server, `rules/${name}`);
    for (const lesson of lessons) {
      await page.getByText(lesson.task, { exact: true }).waitFor();
      for (const move of lesson.accepted) assert.ok(lesson.view.legal.some(({ text }) => text === move), `${name}: ${move}`);
      const move = lesson.view.legal.find(({ text }) => text === lesson.accepted[0]);
      if (move.from !== undefined) await clickCell(page, move.from);
      await clickCell(page, move.to);
      if (move.promotes) await page.locator('dialog.chooser button').first().click();
      await page.getByText(lesson.praise, { exact: true }).first().waitFor();
      await page.getByRole('button', { name: 'Next' }).click();
    }
    await page.getByText('You know the rules').waitFor();
    assert.equal(await page.locator('.rule-parts game-board').count(), rules.length);
    await browser.close(page);
  }
  const used = new Set(variants.map(({ name }) => name));
  assert.deepEqual(Object.keys(viGames).filter((key) => !/^(motif|persona)\./.test(key) && !used.has(key.split('.')[1])), []);
  const page = await browser.open(server, `rules/${stones.name}`, { settings: { language: 'vi' } });
  await page.getByText(viGames[`rules.${stones.name}.0`]).waitFor();
  await page.getByText(viGames[`lesson.${stones.name}.0.task`]).waitFor();
  await browser.close(page);
});

test('a game ends in the words of the person, with the winning line, and leads on', async () => {
  const { page, id, tokens, guest } = await between(stones.name, { ...PHONE, ...NEW });
  await page.waitForFunction(() => document.title.startsWith('● Your turn'));
  const moves = ['j10', 'a1', 'm10', 'c1', 'k10', 'e1', 'l10', 'g1', 'i10'];
  for (const [ply, move] of moves.entries()) await server.api(`games/${id}/moves`, { move }, ply % 2 ? guest : tokens.first);
  await page.locator('.outcome', { hasText: 'You win by a row' }).waitFor();
  assert.match(await page.title(), /^You win/);
  await page.locator('game-board .win-line').waitFor({ state: 'attached' });
  for (const name of ['Review', 'Rematch as White', 'New game']) await page.getByRole('button', { name }).waitFor();
  await page.getByRole('button', { name: 'New game' }).tap();
  await page.locator('.recent-list a', { hasText: 'You win' }).first().waitFor();
  const other = await browser.open(server, '', { settings: { language: 'vi' } });
  await other.evaluate(([game, token]) => localStorage.setItem('polyply.seats', JSON.stringify({ [game]: { second: token } })), [id, guest]);
  await other.goto(`${server.url}/#/game/${id}`);
  await other.locator('.outcome', { hasText: 'Bạn thua (thẳng hàng)' }).waitFor();
  await browser.close(other);
  await browser.close(page);
});

test('only games whose players sit opposite turn the board', async () => {
  for (const { name, board } of variants.filter((one) => one === stones || one === chess)) {
    const { page } = await seated({ variant: name, first: { kind: 'engine', level: 1 }, second: person }, (tokens) => tokens);
    const [first, last] = await Promise.all([0, board.columns * board.rows - 1].map((cell) => page.locator('game-board .cell').nth(cell).boundingBox()));
    assert.equal(first.y > last.y, board.facing, name);
    await browser.close(page);
  }
});

test('friends: a link with its warning, names, presence, answers, messages, and no hints', async () => {
  const page = await browser.open(server, '');
  await page.getByRole('radio', { name: 'Friend by link' }).click();
  await page.getByLabel('Your name').fill('Minh');
  await page.getByLabel('Your name').blur();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const id = await gameId(page);
  await page.getByText('Only this computer can open this link').waitFor();
  await page.getByText(`polyply serve --addr 0.0.0.0:${server.port}`).waitFor();
  const guest = await browser.open(server, `game/${id}`, PHONE);
  await guest.getByText('Minh invites you to a game of').waitFor();
  await guest.getByLabel('Your name').fill('Lan');
  await guest.getByRole('button', { name: 'Play as White' }).tap();
  await page.locator('player-strip', { hasText: 'Lan' }).getByRole('img', { name: 'here', exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Hint' }).count(), 0);
  await guest.getByRole('button', { name: 'Offer a draw' }).tap();
  await guest.getByText('You offered a draw').waitFor();
  await page.getByRole('button', { name: 'Decline' }).click();
  await guest.getByText('Your draw offer was declined.').waitFor();
  await page.getByText('You declined the draw.').waitFor();
  await page.getByRole('button', { name: 'Say something' }).click();
  await page.getByRole('button', { name: 'Good luck!' }).click();
  await guest.getByText('Good luck!').waitFor();
  await browser.close(guest);
  await page.locator('player-strip', { hasText: 'Lan' }).getByRole('img', { name: 'not here' }).waitFor();
  const { first } = await page.evaluate((game) => JSON.parse(localStorage.getItem('polyply.seats'))[game], id);
  const hint = await fetch(`${server.url}/api/games/${id}/hint`, { method: 'POST', headers: { authorization: `Bearer ${first}` } });
  assert.deepEqual([hint.status, (await hint.json()).code], [409, 'hint_between_people']);
  const code = await fetch(`${server.url}/api/qr?text=${encodeURIComponent(page.url())}`);
  assert.match(await code.text(), /^<svg/);
  await browser.close(page);
});

test('the engine keeps to the time of a move that a game declares or a person chooses', async () => {
  const timed = variants.find(({ move_ms: ms }) => ms);
  const page = await browser.open(server, '', NEW);
  await page.locator(`.card[data-variant=${timed.name}]`).click();
  await page.locator('.options summary').click();
  const time = page.getByLabel('Engine’s time a move');
  assert.equal(await time.inputValue(), String(timed.move_ms));
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  assert.equal((await server.api(`games/${await gameId(page)}`)).move_ms, timed.move_ms);
  await page.goBack();
  await page.locator(`.card[data-variant=${chess.name}]`).click();
  await page.getByLabel('Engine’s time a move').selectOption('1000');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  assert.equal((await server.api(`games/${await gameId(page)}`)).move_ms, 1000);
  await browser.close(page);
});

test('the first page is small, and nothing on it moves', async () => {
  const page = await browser.open(server, 'watch', { ...PHONE, ...NEW });
  const wire = await page.context().newCDPSession(page);
  await wire.send('Network.enable');
  await wire.send('Network.setCacheDisabled', { cacheDisabled: true });
  let bytes = 0;
  wire.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await page.addInitScript(() => {
    globalThis.shift = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => (globalThis.shift += entry.value))).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(`${server.url}/?fresh#/`);
  await page.locator('.card').first().waitFor();
  await page.waitForLoadState('networkidle');
  assert.ok(bytes > 50_000 && bytes < 350_000, `${bytes} bytes`);
  assert.equal(await page.evaluate(() => globalThis.shift), 0);
  // Nobody uses it again: it caches nothing.
  await page.context().close();
});
