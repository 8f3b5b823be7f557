/** A server and a browser for all tests of a file. */
import { after } from 'node:test';
import { Browser, Server } from './harness.js';

export const server = await Server.start();
export const browser = await Browser.start();
export const variants = await server.api('variants');

after(async () => {
  await browser.stop();
  await server.stop();
});
