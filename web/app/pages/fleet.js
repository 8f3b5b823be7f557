/** The fleet that helps the server, on the page Watch: workers, jobs, rates, and what went wrong. */
import { get } from '../api.js';
import { el } from '../dom.js';
import { number, t } from '../i18n.js';

/** @import {FleetStatus} from '../types.js' */

/** How often it is asked for again, in milliseconds. */
const PACE = 2000;

/** A panel that follows the fleet as long as it is shown; empty without a fleet. */
export function fleetPanel() {
  const panel = el('section', { class: 'panel padded column hidden fleet' });
  const follow = async () => {
    /** @type {FleetStatus|null} */
    const status = await get('fleet').catch(() => null);
    if (status) {
      panel.classList.remove('hidden');
      panel.replaceChildren(...parts(status));
    }
    // Without a fleet there is nothing to follow.
    if (status && panel.isConnected) setTimeout(follow, PACE);
  };
  follow();
  return panel;
}

/** @param {FleetStatus} status */
function parts({ workers, jobs, dead, aside }) {
  const threads = workers.reduce((sum, worker) => sum + worker.threads, 0);
  const faults = [
    ...workers.flatMap((worker) => Object.values(worker.refused).map((reason) => `${worker.name}: ${reason}`)),
    ...aside.map(({ worker, job, reason }) => t('fleet.aside', { worker, job, reason })),
    ...dead.map(({ job, number: piece, tries, reason }) => t('fleet.dead', { job, piece, tries, reason })),
  ];
  return [
    el('h2', null, t('fleet.title')),
    el('p', { class: 'dim' }, t('fleet.sum', { workers: workers.length, threads })),
    table([t('fleet.job'), t('fleet.done'), t('fleet.running'), t('fleet.waiting'), t('fleet.rate')], jobs.map((job) => [
      `${job.title}${job.state === 'paused' ? ` (${t('watch.paused')})` : ''}`,
      `${job.progress?.done ?? 0}${job.pieces === null ? '' : ` / ${job.pieces}`}`, `${job.running}`, `${job.waiting}`, number(job.progress?.rate ?? 0, 1),
    ])),
    table([t('fleet.worker'), t('fleet.threads'), t('fleet.busy'), t('fleet.done'), t('watch.faults')],
      workers.map((worker) => [worker.name, `${worker.threads}`, `${worker.busy}`, `${worker.done}`, `${worker.faults}`])),
    ...(faults.length > 0 ? [el('h2', null, t('watch.faults')), el('ul', null, ...faults.map((fault) => el('li', null, fault)))] : []),
  ];
}

/** A table whose first column is text; nothing without rows. @param {string[]} heads @param {string[][]} rows */
function table(heads, rows) {
  const cells = (/** @type {'th'|'td'} */ kind, /** @type {string[]} */ texts) => texts.map((text, at) => el(kind, { class: at > 0 ? 'figure' : '' }, text));
  return rows.length === 0 ? '' : el('div', { class: 'scroll-x' }, el('table', null, el('tr', null, ...cells('th', heads)), ...rows.map((row) => el('tr', null, ...cells('td', row)))));
}
