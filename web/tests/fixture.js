/** A server and a browser for all tests of a file, and the tests. */
import { after } from 'node:test';
import { Browser, Server, testsOf } from './harness.js';

export const server = await Server.start();
export const browser = await Browser.start();
export const test = testsOf(server, browser);
export const variants = await server.api('variants');

after(async () => {
  await browser.stop();
  await server.stop();
});
