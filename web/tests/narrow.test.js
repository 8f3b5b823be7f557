/** Every page on a phone, also on a small one, in both languages: nothing sticks out, no words are cut off, and fingers find what they tap. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAGES } from '../pictures/pages.js';
import { browser, server } from './fixture.js';

/** Rows of moves and lines are as small as they have to be. */
const DENSE = 'game-board, move-tree, engine-lines, book-moves, .games-list, .ideas, table, p';

/** What is wrong with the page as it is laid out. @param {string} dense */
function faults(dense) {
  const found = [];
  const say = (fault, element) => found.push(`${fault}: <${element.localName} class="${element.className}"> ${(element.ariaLabel ?? element.textContent).trim().slice(0, 40)}`);
  if (document.documentElement.scrollWidth > innerWidth) found.push(`wider than the screen by ${document.documentElement.scrollWidth - innerWidth}`);
  for (const element of document.querySelectorAll('body *')) {
    const box = element.getBoundingClientRect();
    if (!box.width || !box.height || element.closest('svg, .unseen, game-board') || getComputedStyle(element).visibility === 'hidden') continue;
    if (element.matches('button, .caption, .places a, h1, h2, th, legend, label')) {
      const words = document.createRange();
      words.selectNodeContents(element);
      const [room, used] = [(element.closest('button') ?? element).getBoundingClientRect(), words.getBoundingClientRect()];
      const scrolls = element.closest('.scroll-x, .games-list, engine-lines, move-tree');
      if (!scrolls && (used.right > Math.min(room.right, innerWidth) + 1 || used.left < room.left - 1)) say('cut off', element);
    }
    if (element.matches('button, select, a[href], input:not([type=checkbox])') && !element.closest(dense) && (box.height < 43.5 || box.width < 34)) {
      say(`only ${Math.round(box.width)}×${Math.round(box.height)}`, element);
    }
  }
  return [...new Set(found)];
}

/** The pages that are photographed, and what opens on them. */
const ALL = [
  ...PAGES,
  { name: 'sheet', path: '', ready: async (page) => {
    await page.locator('.card').first().tap();
    await page.locator('dialog.sheet .start').waitFor();
  } },
  { name: 'settings', path: '', ready: async (page) => {
    await page.locator('.card').first().waitFor();
    await page.keyboard.press(',');
    await page.locator('dialog [role=radio]').first().waitFor();
  } },
];

for (const width of [390, 320]) {
  test(`at ${width} pixels every page fits, in both languages`, async () => {
    for (const what of ALL) {
      const path = typeof what.path === 'string' ? what.path : await what.path(server);
      for (const language of ['vi', 'en']) {
        const page = await browser.open(server, path, { viewport: { width, height: 700 }, hasTouch: true, isMobile: true, settings: { language } });
        page.setDefaultTimeout(180000);
        await what.ready(page);
        assert.deepEqual(await page.evaluate(faults, DENSE), [], `${what.name} in ${language}`);
        await browser.close(page);
      }
    }
  });
}
