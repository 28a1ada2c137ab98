import type { Page, Request } from 'playwright-core';
import { eventually } from '../eventually.ts';

const withoutPolling = `for (const name of ['setTimeout', 'setInterval']) {
  const own = window[name];
  window[name] = (run, ms, ...rest) => (ms >= 4_000 ? 0 : own(run, ms, ...rest));
}`;

/** A page that this function has prepared never polls. */
export async function makePatient(page: Page) {
  await page.context().addInitScript(withoutPolling);
  return { page, held: heldBy(page) };
}

/** The returned set changes as requests begin and end. */
export function heldBy(page: Page): Set<Request> {
  const held = new Set<Request>();
  page.on('request', (request) => {
    if (/\/api\/v1\/events\?.*wait=25/.test(request.url())) held.add(request);
  });
  page.on('requestfinished', (request) => held.delete(request));
  page.on('requestfailed', (request) => held.delete(request));
  return held;
}

export const isHeld = (held: Set<Request>) => eventually(() => held.size, 1);
