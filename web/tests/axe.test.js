/** axe-core finds nothing wrong on any page, light and dark, on a phone and at a desk, on any board. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { PAGES, SCREENS, openReady } from '../pictures/pages.js';
import { browser, server, test } from './fixture.js';

const AXE = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];

/** Of an open page, whose server has to wait so that nothing changes meanwhile. */
async function faults(page, rules) {
  await page.evaluate(AXE);
  server.program.kill('SIGSTOP');
  try {
    return await page.evaluate(async (wanted) => {
      // What is right need not be described.
      const { violations } = await globalThis.axe.run(document, { runOnly: wanted, resultTypes: ['violations'] });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target }) => target.join(' ')).join(', ')}`);
    }, rules);
  } finally {
    server.program.kill('SIGCONT');
  }
}

/** The page allows no scripts of others, so that has to be lifted for the inspector. */
const open = (what, options) => openReady(browser, server, what, { ...options, bypassCSP: true });

for (const what of PAGES) {
  test(`axe finds nothing on the page ${what.name}`, async () => {
    for (const options of [{ ...SCREENS.desk, settings: { theme: 'light' } }, { ...SCREENS.phone, settings: { theme: 'dark', language: 'vi' } }]) {
      const page = await open(what, options);
      assert.deepEqual(await faults(page, RULES), [], options.settings.theme);
      await browser.close(page);
    }
    await what.over?.(server);
  });
}

test('axe finds no colours too much alike on any board', async () => {
  for (const what of PAGES.filter(({ name }) => ['analyse', 'chess'].includes(name))) {
    const page = await open(what, SCREENS.tablet);
    for (const board of ['wood', 'paper', 'green', 'contrast']) {
      await page.evaluate((wanted) => import('/settings.js').then(({ settings }) => settings.set({ board: wanted })), board);
      await page.locator(`game-board[data-board=${board}]`).waitFor();
      await what.ready(page);
      assert.deepEqual(await faults(page, ['color-contrast']), [], `${what.name} on ${board}`);
    }
    await browser.close(page);
  }
});
