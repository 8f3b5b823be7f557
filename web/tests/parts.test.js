/** Tests without a browser: the tree of variations, links, and the dictionaries. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { landings } from '../app/board/geometry.js';
import { en, enNames } from '../app/lang/en.js';
import { viGames } from '../app/lang/vi-games.js';
import { vi } from '../app/lang/vi.js';
import { viRefusals } from '../app/lang/vi-refusals.js';
import { gamePath, readGame } from '../app/links.js';
import { rated } from '../app/rating.js';
import { reason } from '../app/sentences.js';
import { Tree } from '../app/tree.js';

const APP = new URL('../app/', import.meta.url).pathname;

function files(folder = APP) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? files(join(folder, entry.name)) : [join(folder, entry.name)]);
}

test('a tree is read back as it was written', () => {
  const text = 'h8 i9 (i8 j8 (j9 k9) k8) (g9) h9 g8';
  const tree = Tree.parse(text);
  assert.equal(tree.text(), text);
  assert.deepEqual(tree.path(), ['h8', 'i9', 'h9', 'g8']);
});

test('what a file says of a game and its moves goes into a link and into files again', () => {
  const game = {
    players: ['Ann', 'Bob'], result: '1-0', settings: [['Event', 'Open [A] (1)']], comment: 'A game',
    line: [{ move: 'h8', note: '[%clk 0:03:00] fine (really) {so}', nags: [1], variations: [[{ move: 'i9', note: 'or this' }, { move: 'j9', variations: [[{ move: 'k9' }]] }]] }, { move: 'i8' }],
  };
  const tree = Tree.parse(Tree.ofGame(game).text());
  assert.deepEqual(tree.path(), ['h8', 'i8']);
  const back = tree.game();
  // A brace can't be part of a comment in PGN either.
  game.line[0].note = game.line[0].note.replace('}', ')');
  assert.deepEqual(back, game);
});

test('a variation becomes the main line, and can be removed', () => {
  const tree = Tree.parse('a b (c d) e');
  tree.here = tree.root.children[0].children[1];
  tree.promote();
  assert.equal(tree.text(), 'a c (b e) d');
  tree.remove();
  assert.equal(tree.text(), 'a b e');
  assert.deepEqual(tree.path(), ['a']);
});

test('moves are named as people write them, along the line that is known', () => {
  const tree = Tree.parse('e2e4 e7e5 (c7c5) g1f3');
  const [main, other] = tree.leaves();
  tree.name(main, ['e4', 'e5', 'Nf3']);
  assert.deepEqual(tree.mainLine().map((node) => node.shown), ['e4', 'e5', 'Nf3']);
  assert.deepEqual([other.move, other.shown], ['c7c5', undefined]);
});

test('a link carries position, rules, variations and the place in the game', () => {
  const setup = { variant: 'caro:15,opening=swap2', position: '3/1x1/3 o' };
  const path = gamePath('analyse', setup, 'h8 i9 (i8 j8) h9', 2, 'second');
  const [, query] = path.split('?');
  const read = readGame({ page: 'analyse', rest: [setup.variant], query: new URLSearchParams(query) });
  assert.deepEqual(read, { setup, moves: 'h8 i9 (i8 j8) h9', ply: 2, side: 'second' });
});

test('discs that fall are numbered where they come to lie', () => {
  const look = { surface: 'columns', columns: 3, rows: 2, coordinates: { columns: ['a', 'b', 'c'], rows: ['2', '1'] } };
  assert.deepEqual(landings(look, ['b', 'b', 'c']), [4, 1, 5]);
});

test('both languages have the same words, with the same places to fill in', () => {
  assert.deepEqual(Object.keys(vi).sort(), Object.keys(en).sort());
  const gaps = (text) => (text.match(/\{\w+\}/g) ?? []).sort();
  for (const key of Object.keys(en)) assert.deepEqual(gaps(vi[key]), gaps(en[key]), key);
});

test('a refusal is said with its reasons, and in English where there is no sentence for it', () => {
  const turn = { code: 'not_your_turn', args: {}, message: 'it is not your turn' };
  const inner = { code: 'move_in_list', args: { number: 3, reason: turn }, message: 'move 3: it is not your turn' };
  const nested = { code: 'position_refused', args: { text: '{reason}', reason: inner }, message: 'the position' };
  assert.equal(reason(nested, viRefusals), 'thế cờ `{reason}` không được: nước thứ 3: chưa đến lượt bạn');
  assert.equal(reason(nested, {}), 'the position');
  assert.equal(reason({ ...nested, code: 'of_a_newer_server' }, viRefusals), 'the position');
});

test('every word of the dictionary is used', () => {
  const source = files().filter((file) => file.endsWith('.js') && !file.includes('/lang/')).map((file) => readFileSync(file, 'utf8')).join('\n');
  // Some keys are put together: `status.` and what the server says.
  const families = /^(status|quality|man|side|room|play|limit|end|watch)\./;
  const unused = Object.keys(en).filter((key) => !source.includes(`'${key}'`) && !families.test(key));
  assert.deepEqual(unused, []);
});

test('the whole app is less than 480 kB, and asks for nothing from elsewhere', () => {
  const all = files();
  const bytes = all.reduce((sum, file) => sum + statSync(file).size, 0);
  assert.ok(bytes < 480_000, `${bytes} bytes`);
  for (const file of all) {
    const text = readFileSync(file, 'utf8').replaceAll('http://www.w3.org/', '');
    assert.doesNotMatch(text, /https?:\/\/(?!\$)|\sstyle="|\son\w+="|<script>/, file);
  }
});

test('every module is asked for at once', () => {
  const page = readFileSync(join(APP, 'index.html'), 'utf8');
  const modules = files().map((file) => file.slice(APP.length)).filter((file) => file.endsWith('.js') && !['main.js', 'types.js'].includes(file));
  assert.deepEqual([...page.matchAll(/modulepreload" href="([^"]+)"/g)].map(([, file]) => file).sort(), modules.sort());
});

test('the app can be installed: its manifest names pictures that are there', () => {
  const { start_url: start, icons } = JSON.parse(readFileSync(join(APP, 'manifest.webmanifest'), 'utf8'));
  assert.equal(start, './');
  for (const { src } of icons) assert.ok(statSync(join(APP, src)).size > 100, src);
  assert.match(readFileSync(join(APP, 'index.html'), 'utf8'), /rel="manifest" href="manifest.webmanifest"/);
});

test('no page knows a game by name', () => {
  const games = /freestyle|renju|caro|gomoku|othello|connect ?four|connect4|tictactoe/i;
  for (const file of files().filter((name) => name.endsWith('.js') && !name.includes('/lang/'))) {
    const code = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|`caro:15[^`]*`/g, '');
    assert.doesNotMatch(code, games, file);
  }
});

test('ideas behind moves and personas have names in both languages', () => {
  const keys = Object.keys(enNames).filter((key) => /^(motif|persona)\./.test(key));
  assert.ok(keys.length > 20);
  assert.deepEqual(keys.filter((key) => !viGames[key]), []);
});

test('a rating follows the results, and is the surer the more games there are', () => {
  const fresh = { rating: 1500, deviation: 200, volatility: 0.06 };
  const won = rated(fresh, 1400, 1);
  const lost = rated(fresh, 1400, 0);
  assert.ok(won.rating > 1500 && lost.rating < 1500 && won.deviation < 200);
  // A win against a weaker player tells less than a loss.
  assert.ok(1500 - lost.rating > won.rating - 1500);
  // The paper's first game alone: 1400 with a deviation of 30, won, gives 1563.6; our opponents' deviation is 60.
  assert.ok(Math.abs(won.rating - 1562) < 5, String(won.rating));
  let player = fresh;
  for (let game = 0; game < 40; game++) player = rated(player, 1700, game % 2);
  assert.ok(Math.abs(player.rating - 1700) < 60 && player.deviation < 80, JSON.stringify(player));
  assert.ok(player.volatility > 0.05 && player.volatility < 0.07);
});
