/**
 * All pages at three widths in both themes, and the boards of all themes, on one picture.
 *   node pictures/contact-sheet.js FOLDER
 * writes a picture for each, and `contact-sheet.png` with all of them.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Browser, Server } from '../tests/harness.js';
import { PAGES, SCREENS, openReady } from './pages.js';

const folder = process.argv[2] ?? 'contact-sheet';
mkdirSync(folder, { recursive: true });
const server = await Server.start();
const browser = await Browser.start();

/** Names of pictures, by row of the sheet. */
const rows = [];

async function photograph(name, what, options) {
  const page = await openReady(browser, server, what, options);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await page.context().close();
  return name;
}

for (const what of PAGES) {
  const row = [];
  for (const [screen, options] of Object.entries(SCREENS)) {
    for (const theme of ['light', 'dark']) row.push(await photograph(`${what.name}-${screen}-${theme}`, what, { ...options, settings: { theme } }));
  }
  rows.push(row);
}
for (const board of ['wood', 'paper', 'green', 'contrast']) {
  const row = [];
  for (const what of PAGES.filter(({ name }) => ['analyse', 'chess'].includes(name))) {
    for (const pieces of ['classic', 'flat', 'marks']) {
      row.push(await photograph(`${what.name}-${board}-${pieces}`, what, { ...SCREENS.tablet, settings: { theme: 'light', board, pieces, values: 'off' } }));
    }
  }
  rows.push(row);
}

const image = (name) => `<figure><img src="data:image/png;base64,${readFileSync(join(folder, `${name}.png`)).toString('base64')}"><figcaption>${name}</figcaption></figure>`;
const style = 'body{margin:16px;font:14px sans-serif}div{display:flex;gap:12px;align-items:flex-start;margin-bottom:18px}img{height:420px;border:1px solid #999}figure{margin:0}';
writeFileSync(join(folder, 'index.html'), `<!doctype html><meta charset="utf-8"><title>Polyply</title><style>${style}</style>${rows.map((row) => `<div>${row.map(image).join('')}</div>`).join('\n')}`);
const sheet = await (await browser.chromium.newContext({ viewport: { width: 3000, height: 1000 } })).newPage();
await sheet.setContent(readFileSync(join(folder, 'index.html'), 'utf8'));
await sheet.screenshot({ path: join(folder, 'contact-sheet.png'), fullPage: true });
await browser.stop();
await server.stop();
console.log(join(folder, 'contact-sheet.png'));
