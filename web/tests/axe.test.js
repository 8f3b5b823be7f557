/** axe-core finds nothing wrong on any page, light and dark, on a phone and at a desk, on any board. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PAGES, SCREENS, openReady } from '../pictures/pages.js';
import { browser, server } from './fixture.js';

const AXE = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];

async function faults(what, options) {
  // The page allows no scripts of others, so that has to be lifted for the inspector.
  const page = await openReady(browser, server, what, { ...options, bypassCSP: true });
  await page.evaluate(AXE);
  const { violations } = await page.evaluate((rules) => globalThis.axe.run(document, { runOnly: rules }), RULES);
  await page.context().close();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target }) => target.join(' ')).join(', ')}`);
}

for (const what of PAGES) {
  test(`axe finds nothing on the page ${what.name}`, async () => {
    assert.deepEqual(await faults(what, { ...SCREENS.desk, settings: { theme: 'light' } }), [], 'light, at a desk');
    assert.deepEqual(await faults(what, { ...SCREENS.phone, settings: { theme: 'dark', language: 'vi' } }), [], 'dark, on a phone');
  });
}

test('axe finds nothing on any board', async () => {
  for (const board of ['wood', 'paper', 'green', 'contrast']) {
    for (const name of ['analyse', 'chess']) {
      assert.deepEqual(await faults(PAGES.find((page) => page.name === name), { ...SCREENS.tablet, settings: { board } }), [], `${name} on ${board}`);
    }
  }
});
