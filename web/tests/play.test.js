/** Games in a real browser: to their end in every variant, over two pages, over a reload and a crash of the server. */
import assert from 'node:assert/strict';
import { dice, gameId, play, until } from './harness.js';
import { browser, server, test, variants } from './fixture.js';

/** Chooses a variant and an opponent on the first page, and begins. */
async function begin(page, variant, opponent) {
  await page.locator(`.card[data-variant=${variant}]`).click();
  await page.getByRole('radio', { name: opponent, exact: true }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  return gameId(page);
}

/** Sets the slider of the engine's level. */
async function level(page, value) {
  await page.locator('home-page input[type=range]').first().fill(String(value));
}

test('a full game of every variant, played on the board to its end', async () => {
  for (const { name } of variants) {
    const page = await browser.open(server, '');
    const roll = dice(name.length + 5);
    await page.getByRole('radio', { name: 'Engine', exact: true }).click();
    // A level that wins at once against somebody who plays at random.
    await level(page, 8);
    const id = await begin(page, name, 'Engine');
    let state = await server.api(`games/${id}`);
    while (state.status !== 'over') {
      const { legal } = state.view;
      const count = state.moves.length;
      const move = legal[roll(legal.length)];
      await play(server, page, id, move);
      state = await until(server, id, (now) => now.status === 'over' || (now.moves.length > count && now.view.side === 'first'));
    }
    await page.locator('.outcome').waitFor();
    assert.match(await page.locator('.outcome').innerText(), /^(You win|You lose|Draw) /, name);
    const points = await page.locator('player-strip .points').allInnerTexts();
    assert.equal(points.sort().join(), state.end.winner ? '0,1' : '½,½', name);
    const drawn = await page.locator('game-board .stones > g').count();
    assert.equal(drawn, state.view.cells.filter(Boolean).length, `${name}: what is drawn is what there is`);
    if (state.view.line.length > 0) assert.equal(await page.locator('game-board .win-ring').count(), state.view.line.length, name);
    await browser.close(page);
  }
});

test('two people over a link, and somebody who looks on', async () => {
  const { name, sides } = variants.find(({ board }) => board.surface === 'points');
  const host = await browser.open(server, '');
  const id = await begin(host, name, 'Friend by link');
  const link = await host.locator('.notice input').inputValue();
  assert.ok(link.endsWith(`/#/game/${id}`));
  const guest = await browser.open(server, `game/${id}`);
  await guest.locator('.notice button.primary').click();
  const third = await browser.open(server, `game/${id}`);
  for (let ply = 0; ply < 6; ply++) {
    const state = await until(server, id, (now) => now.status === 'playing' && now.moves.length === ply);
    const [mover, other] = ply % 2 === 0 ? [host, guest] : [guest, host];
    await mover.getByText('Your turn').waitFor();
    await other.getByText(new RegExp(`${sides[ply % 2].name} to move`, 'i')).waitFor();
    await play(server, mover, id, state.view.legal[ply * 7 + 3]);
  }
  for (const page of [host, guest, third]) {
    await page.waitForFunction(() => document.querySelectorAll('game-board .stones > g').length === 6);
  }
  assert.equal(await third.getByRole('button', { name: 'Resign' }).count(), 0, 'who looks on has nothing to resign');
  await host.getByRole('button', { name: 'Offer a draw' }).click();
  await guest.getByRole('button', { name: 'Accept' }).click();
  await third.locator('.outcome', { hasText: 'Draw' }).waitFor();
  for (const page of [host, guest, third]) await browser.close(page);
});

test('a reload, and a server that is killed and started again, lose nothing', async () => {
  const { name } = variants.find(({ board }) => board.surface === 'points');
  const page = await browser.open(server, '');
  await page.getByRole('radio', { name: 'Engine', exact: true }).click();
  await level(page, 1);
  const id = await begin(page, name, 'Engine');
  let state = await server.api(`games/${id}`);
  const exchange = async (index) => {
    const count = state.moves.length;
    await play(server, page, id, state.view.legal[index]);
    state = await until(server, id, (now) => now.moves.length === count + 2);
    await page.waitForFunction((stones) => document.querySelectorAll('game-board .stones > g').length === stones, state.moves.length);
  };
  await exchange(0);
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll('game-board .stones > g').length === 2);
  await exchange(10);
  await server.kill();
  await page.getByText('Connection lost').waitFor();
  await server.run();
  await page.getByText('Connection lost').waitFor({ state: 'hidden' });
  assert.deepEqual((await server.api(`games/${id}`)).moves.map(({ text }) => text), state.moves.map(({ text }) => text));
  await exchange(20);
  await browser.close(page);
});

test('hint, take back, redo, resign and rematch', async () => {
  const { name } = variants.find(({ board }) => board.surface === 'columns');
  const page = await browser.open(server, '');
  const id = await begin(page, name, 'Engine');
  // First where to look, then more, and the move at last.
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.locator('.hinted', { hasText: /Look at the .* of the board/ }).waitFor();
  assert.equal(await page.locator('game-board .arrow-best').count(), 0);
  while (await page.getByRole('button', { name: 'Tell me more' }).count()) {
    const said = await page.locator('.hinted').textContent();
    await page.getByRole('button', { name: 'Tell me more' }).click();
    await page.waitForFunction((before) => document.querySelector('.hinted')?.textContent !== before, said);
  }
  await page.locator('game-board .arrow-best').waitFor();
  let state = await server.api(`games/${id}`);
  await play(server, page, id, state.view.legal[0]);
  await until(server, id, ({ moves }) => moves.length === 2);
  await page.getByRole('button', { name: 'Take back' }).click();
  await until(server, id, ({ moves }) => moves.length === 0);
  await page.getByRole('button', { name: 'Redo' }).click();
  await until(server, id, ({ moves }) => moves.length === 2);
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Resign' }).click();
  await page.locator('.outcome').waitFor();
  await page.getByRole('button', { name: 'Rematch' }).click();
  await page.waitForURL((url) => !url.hash.endsWith(id));
  const next = await gameId(page);
  state = await until(server, next, ({ moves, view }) => moves.length === 1 && view.side === 'second');
  await play(server, page, next, state.view.legal[0]);
  await until(server, next, ({ moves }) => moves.length >= 2);
  await browser.close(page);
});

test('two people at one screen agree on a draw', async () => {
  const { name } = variants.find(({ board }) => board.surface === 'points');
  const page = await browser.open(server, '');
  const id = await begin(page, name, 'Same screen');
  const state = await server.api(`games/${id}`);
  await play(server, page, id, state.view.legal[0]);
  await until(server, id, ({ moves }) => moves.length === 1);
  await page.getByRole('button', { name: 'Agree on a draw' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Agree on a draw' }).click();
  await page.locator('.outcome', { hasText: 'Draw' }).waitFor();
  await browser.close(page);
});

test('a swap of colours', async () => {
  const variant = variants.find(({ rules }) => rules.some(({ values }) => values.includes('swap')));
  const made = await server.api('games', { variant: `${variant.name},opening=swap`, first: { kind: 'person' }, second: { kind: 'person' } });
  const page = await browser.open(server, '');
  await page.evaluate(([id, tokens]) => localStorage.setItem('polyply.seats', JSON.stringify({ [id]: tokens })), [made.game.id, made.seat_tokens]);
  await page.goto(`${server.url}/#/game/${made.game.id}`);
  for (let ply = 0; ply < 3; ply++) {
    const state = await until(server, made.game.id, ({ moves }) => moves.length === ply);
    await play(server, page, made.game.id, state.view.legal[ply * 30]);
  }
  await page.getByText('White chooses a colour.').waitFor();
  await page.getByRole('button', { name: 'Swap colours' }).click();
  await until(server, made.game.id, ({ swapped, view }) => swapped && view.swap === null);
  await page.getByText(/to move/).waitFor();
  await browser.close(page);
});

test('what the engine chooses in a swap is told in the colours of the person', async () => {
  const page = await browser.open(server, '');
  await page.locator('.card').first().waitFor();
  const made = await server.api('games', { variant: 'freestyle,opening=swap', first: { kind: 'person' }, second: { kind: 'engine', level: 1 } });
  await page.evaluate(([id, tokens]) => localStorage.setItem('polyply.seats', JSON.stringify({ [id]: tokens })), [made.game.id, made.seat_tokens]);
  await page.goto(`${server.url}/#/game/${made.game.id}`);
  for (const [at, move] of ['h8', 'h9', 'i8'].entries()) {
    await page.waitForFunction((count) => document.querySelectorAll('game-board .stones > g').length === count, at);
    await server.api(`games/${made.game.id}/moves`, { move }, made.seat_tokens.first);
  }
  await page.locator('.toast', { hasText: /The colours (stay|are swapped): you play (Black|White)/ }).waitFor();
  await browser.close(page);
});

test('a game is written with its players and its result', async () => {
  const made = await server.api('games', { variant: 'chess', first: { kind: 'person', name: 'Ann' }, second: { kind: 'engine', level: 2 } });
  await server.api(`games/${made.game.id}/moves`, { move: 'e2e4' }, made.seat_tokens.first);
  await server.api(`games/${made.game.id}/resign`, {}, made.seat_tokens.first);
  const page = await browser.open(server, `game/${made.game.id}`);
  await page.locator('.outcome').waitFor();
  await page.keyboard.press('s');
  await page.locator('dialog select').selectOption('pgn');
  await page.waitForFunction(() => document.querySelector('dialog textarea')?.value.includes('[White'));
  const text = await page.locator('dialog textarea').inputValue();
  for (const part of ['[White "Ann"]', '[Black "Polyply · Level 2"]', '[Result "0-1"]', '1. e4']) assert.ok(text.includes(part), `${part} is not in ${text}`);
  await browser.close(page);
});

test('two engines play by themselves', async () => {
  const { name } = variants.find(({ board }) => board.columns === 3);
  const page = await browser.open(server, '');
  await begin(page, name, 'Engines');
  await page.locator('.outcome').waitFor();
  await page.getByRole('link', { name: 'Polyply' }).click();
  await page.locator('.recent-list a', { hasText: /(wins|Draw) .*move \d/ }).first().waitFor();
  const [cards, recent] = await Promise.all(['.cards', '.recent'].map((part) => page.locator(part).boundingBox()));
  assert.ok(recent.y - cards.y - cards.height < 40, 'the last games stand right below the games');
  await browser.close(page);
});

test('of many games the newest are listed, and more on request', async () => {
  const person = { kind: 'person' };
  for (let count = 0; count < 14; count++) {
    const { game, seat_tokens: seats } = await server.api('games', { variant: 'tictactoe', first: person, second: person });
    await server.api(`games/${game.id}/moves`, { move: 'b2' }, seats.first);
  }
  const page = await browser.open(server, '');
  const listed = page.locator('.recent-list a');
  await listed.first().waitFor();
  assert.equal(await listed.count(), 12);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await listed.nth(13).waitFor();
  await page.waitForFunction(() => document.activeElement === document.querySelectorAll('.recent-list a')[12]);
  assert.equal(await page.getByRole('button', { name: 'More', exact: true }).count(), 0);
  // The list is narrowed down to a game, and to one's own.
  await page.locator('.game-filter select').selectOption('tictactoe');
  await page.waitForFunction(() => [...document.querySelectorAll('.recent-list b')].every((title, _, all) => all.length >= 14 && title.textContent === 'Tic-tac-toe'));
  await page.getByLabel('Only mine').check();
  await page.getByText('There are none.').waitFor();
  const [{ id }] = await server.api('games?limit=1');
  await page.evaluate((game) => localStorage.setItem('polyply.seats', JSON.stringify({ [game]: { first: 'a token' } })), id);
  await page.getByLabel('Only mine').uncheck();
  await page.getByLabel('Only mine').check();
  await page.waitForFunction((game) => [...document.querySelectorAll('.recent-list a')].map((link) => link.getAttribute('href')).join() === `#/game/${game}`, id);
  await browser.close(page);
});

test('the strips of chess show who is ahead, and by which men', async () => {
  const made = await server.api('games', { variant: 'chess', position: 'r3k3/1pp5/8/8/8/8/4P3/3QK3 w - - 0 1', first: { kind: 'person' }, second: { kind: 'person' } });
  for (const [language, words] of [['en', ['Men more: Black queen', 'Men more: White rook, White pawn']], ['vi', ['Hơn quân: Đen hậu', 'Hơn quân: Trắng xe, Trắng tốt']]]) {
    const page = await browser.open(server, `game/${made.game.id}`, { settings: { language } });
    await page.locator('player-strip.below .material', { hasText: '+3' }).waitFor();
    const [own, other] = await Promise.all(['below', 'above'].map((strip) => page.locator(`player-strip.${strip} .material`).getAttribute('aria-label')));
    assert.deepEqual([own, other], words);
    await browser.close(page);
  }
});
