/** What the browser tests share: a server, a browser, and clicks on the board. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { chromium } from 'playwright-core';

const PROGRAM = process.env['POLYPLY'] ?? 'polyply';
const BROWSER = process.env['CHROMIUM'] ?? 'chromium';

/** Where a program is that is called by its name. */
function whereIs(program) {
  const folders = program.includes('/') ? [''] : (process.env['PATH'] ?? '').split(':');
  return folders.map((folder) => join(folder, program)).find((file) => existsSync(file)) ?? program;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** A server with a data folder that outlives it, so that it can be killed and started again. */
export class Server {
  /** @param {string[]} options of `polyply serve` */
  static async start(...options) {
    const server = new Server();
    server.options = options;
    server.folder = mkdtempSync(join(tmpdir(), 'polyply-web-'));
    server.port = await freePort();
    server.url = `http://127.0.0.1:${server.port}`;
    await server.run();
    return server;
  }

  async run() {
    const program = spawn(PROGRAM, ['serve', '--addr', `127.0.0.1:${this.port}`, '--data', this.folder, '--hash', '16', '--no-browser', ...this.options], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.program = program;
    // A test that fails early must neither wait for it nor leave it running.
    process.once('exit', () => program.kill('SIGKILL'));
    program.unref();
    program.stderr.unref();
    let said = '';
    program.stderr.on('data', (text) => (said += text));
    for (let tries = 0; tries < 1200; tries++) {
      if (program.exitCode !== null) throw new Error(`the server ended at once: ${said}`);
      if (await fetch(`${this.url}/api/health`).then((answer) => answer.ok, () => false)) return;
      await pause(50);
    }
    throw new Error(`the server does not answer: ${said}`);
  }

  /** Kills it, if it still runs. */
  async kill() {
    if (this.program.exitCode !== null || this.program.signalCode !== null) return;
    // Now it is waited for.
    this.program.ref();
    const gone = once(this.program, 'exit');
    this.program.kill('SIGKILL');
    await gone;
  }

  async stop() {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** @param {string} path @param {unknown} [body] @param {string} [token] of a seat */
  async api(path, body, token) {
    const answer = await fetch(`${this.url}/api/${path}`, body === undefined ? {} : {
      method: 'POST', headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }, body: JSON.stringify(body),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${path}: ${answer.status} ${text}`);
    return answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
  }
}

/** A browser. An error on a page fails the test that uses the page. */
export class Browser {
  static async start() {
    const browser = new Browser();
    browser.chromium = await chromium.launch({ executablePath: whereIs(BROWSER), args: ['--no-sandbox'] });
    return browser;
  }

  /** Pages that were closed, by the options of their contexts: a second use costs a fraction of a new page. */
  #used = new Map();

  /** @param {Server} server @param {string} path @param {object} [options] of the browser's context */
  async open(server, path, { settings = {}, ...options } = {}) {
    const wanted = { viewport: { width: 1280, height: 860 }, locale: 'en-GB', reducedMotion: 'reduce', ...options };
    const kind = `${server.url} ${JSON.stringify(wanted)}`;
    const page = this.#used.get(kind)?.pop() ?? await this.#fresh(server, wanted);
    page.kind = kind;
    page.errors = [];
    await page.setViewportSize(wanted.viewport);
    // Nothing is left of who was here before.
    await page.evaluate((kept) => {
      localStorage.clear();
      localStorage.setItem('polyply.settings', JSON.stringify(kept));
    }, { tap: 'direct', language: 'en', ...settings });
    await page.goto(`${server.url}/#/${path}`);
    return page;
  }

  /** A page of its own context, on a file of the server that runs nothing. */
  async #fresh(server, options) {
    const page = await (await this.chromium.newContext(options)).newPage();
    page.on('pageerror', (error) => page.errors.push(error.stack ?? error.message));
    page.on('console', (message) => {
      // The page itself reports a lost connection.
      if (message.type() === 'error' && !/WebSocket|ERR_CONNECTION|Failed to load/.test(message.text())) page.errors.push(message.text());
    });
    // Long enough for a busy machine.
    page.setDefaultTimeout(45000);
    await page.goto(`${server.url}/robots.txt`);
    return page;
  }

  /** Closes a page that must have been free of errors. */
  async close(page) {
    const { errors, kind } = page;
    assert.deepEqual(errors, []);
    await page.goto(new URL('/robots.txt', page.url()).href);
    this.#used.set(kind, [...this.#used.get(kind) ?? [], page]);
  }

  /** Closes all pages, whatever they show. */
  async clear() {
    this.#used.clear();
    await Promise.all(this.chromium.contexts().map((context) => context.close()));
  }

  stop() {
    return this.chromium.close();
  }
}

/**
 * Tests of a server in a browser. One that fails says why and is repeated once, on new pages of a server that was
 * started again, so that nothing of the first try is still running.
 * @param {Server} server
 * @param {Browser} browser
 */
export function testsOf(server, browser) {
  return (name, run) => test(name, async (context) => {
    try {
      await run();
    } catch (error) {
      context.diagnostic(`REPEATED after a failure: ${name}\n${inspect(error)}`);
      await browser.clear();
      await server.kill();
      await server.run();
      await run();
    }
  });
}

/** Clicks a cell of the board on a page. */
export async function clickCell(page, cell) {
  await page.locator('game-board:not([small]) .cell').nth(cell).click();
}

/** Plays a legal move by clicks. */
async function clickMove(page, move) {
  if (move.to === null) return page.getByRole('button', { name: 'Pass', exact: true }).click();
  if (move.from !== undefined) await clickCell(page, move.from);
  await clickCell(page, move.to);
  if (move.promotes) await page.locator('dialog.chooser button').first().click();
  return undefined;
}

/** The id of the game that a page shows. */
export async function gameId(page) {
  await page.waitForURL(/#\/game\//);
  return page.url().split('/').at(-1);
}

/** Waits until a game is as wanted, and returns it. */
export async function until(server, id, wanted, patience = 2400) {
  for (let tries = 0; tries < patience; tries++) {
    const state = await server.api(`games/${id}`);
    if (wanted(state)) return state;
    await pause(25);
  }
  throw new Error('the game did not get there');
}

/** Plays a legal move by clicks. The server may be ahead of the page, which then ignores the clicks. */
export async function play(server, page, id, move) {
  const { length } = (await server.api(`games/${id}`)).moves;
  for (let taken = false; !taken;) {
    await clickMove(page, move);
    taken = await until(server, id, ({ moves, status }) => moves.length > length || status === 'over', 80).then(() => true, () => false);
  }
}

/** A repeatable random generator. */
export function dice(seed) {
  let state = seed;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}
