/** Every page on a phone, also on a small one, in both languages: nothing sticks out, no words are cut off, and fingers find what they tap. */
import assert from 'node:assert/strict';
import { PAGES, openReady } from '../pictures/pages.js';
import { browser, server, test } from './fixture.js';

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

/** What observes sizes has drawn anew by the second frame. */
const nextFrame = () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));

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

for (const what of ALL) {
  test(`the page ${what.name} fits at 390 and 320 pixels, in both languages`, async () => {
    for (const language of ['vi', 'en']) {
      const page = await openReady(browser, server, what, { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true, settings: { language } });
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 700 });
        await page.evaluate(nextFrame);
        assert.deepEqual(await page.evaluate(faults, DENSE), [], `in ${language} at ${width} pixels`);
      }
      await browser.close(page);
    }
    await what.over?.(server);
  });
}
