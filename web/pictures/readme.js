/**
 * The pictures of the README.
 *   node pictures/readme.js FOLDER
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Browser, Server } from '../tests/harness.js';
import { PAGES, SCREENS, openReady } from './pages.js';

const folder = process.argv[2] ?? '../docs/pictures';
const server = await Server.start();
const browser = await Browser.start();
/** Of a hundred; no loss is seen, and a picture takes a fraction of what PNG does. */
const QUALITY = 82;
const named = (name) => PAGES.find((page) => page.name === name);

for (const [file, what, options] of [
  ['analyse', named('analyse'), { ...SCREENS.desk, settings: { theme: 'light' } }],
  ['review', named('review'), { ...SCREENS.desk, settings: { theme: 'dark' } }],
  ['phone', named('analyse'), { ...SCREENS.phone, deviceScaleFactor: 2, settings: { theme: 'light', board: 'paper' } }],
]) {
  const page = await openReady(browser, server, what, options);
  const wire = await page.context().newCDPSession(page);
  const { data } = await wire.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  writeFileSync(join(folder, `${file}.webp`), Buffer.from(data, 'base64'));
  await page.context().close();
}
await browser.stop();
await server.stop();
