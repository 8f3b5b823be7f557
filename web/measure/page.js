/**
 * How the app feels, measured in Chromium: the first page, and frames while the engine thinks.
 *   POLYPLY=target/release/polyply node web/measure/page.js
 * prints a line of JSON for each question.
 */
import { Browser, Server } from '../tests/harness.js';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, reducedMotion: 'no-preference' };
/** How many times slower the page's processor is. */
const SLOWER = 4;
const SECONDS = 8;
const ROUNDS = 5;

const server = await Server.start();
const browser = await Browser.start();
const tell = (what, facts) => console.log(JSON.stringify({ what, ...facts }));

/** The first page, with an empty cache. */
async function firstPage() {
  const page = await browser.open(server, 'watch', PHONE);
  const wire = await page.context().newCDPSession(page);
  await wire.send('Network.enable');
  await wire.send('Network.setCacheDisabled', { cacheDisabled: true });
  let [bytes, requests] = [0, 0];
  wire.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests++;
  });
  await page.addInitScript(() => {
    globalThis.shift = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => (globalThis.shift += entry.value))).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(`${server.url}/?fresh#/`);
  await page.locator('.card game-board svg').first().waitFor();
  await page.waitForLoadState('networkidle');
  const { paint, shift } = await page.evaluate(() => ({
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null, shift: globalThis.shift,
  }));
  await page.context().close();
  return { paint_ms: Math.round(paint), bytes, requests, shift };
}

/** The times between frames while the engine analyses a position. */
async function frames(path) {
  const page = await browser.open(server, path, PHONE);
  await page.locator('engine-lines .worth').first().waitFor();
  const wire = await page.context().newCDPSession(page);
  await wire.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  const between = await page.evaluate((seconds) => new Promise((done) => {
    const times = [];
    let last = 0;
    const next = (now) => {
      if (last) times.push(now - last);
      last = now;
      if (times.reduce((sum, time) => sum + time, 0) < seconds * 1000) requestAnimationFrame(next);
      else done(times);
    };
    requestAnimationFrame(next);
  }), SECONDS);
  await page.context().close();
  const sorted = [...between].sort((one, other) => one - other);
  const at = (share) => Number(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(1));
  return { frames_per_second: Number((between.length / SECONDS).toFixed(1)), median_ms: at(0.5), p99_ms: at(0.99), longest_ms: at(1) };
}

for (let round = 0; round < ROUNDS; round++) tell('first page', await firstPage());
for (const path of ['analyse/chess', 'analyse/othello', 'analyse/caro?moves=j10+k11+m10']) tell(path, { slower: SLOWER, ...await frames(path) });
await browser.stop();
await server.stop();
