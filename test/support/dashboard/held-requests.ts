/** How tests of live pages follow which of their requests wait for an event. */
import type { Page, Request } from 'playwright-core';
import { eventually } from '../eventually.ts';

const withoutSteadyAsking = `for (const name of ['setTimeout', 'setInterval']) {
  const own = window[name];
  window[name] = (run, ms, ...rest) => (ms >= 4_000 ? 0 : own(run, ms, ...rest));
}`;

/** Makes an empty page ask for nothing at steady times, and follows which of its requests wait for an event. */
export async function makePatient(page: Page) {
  await page.context().addInitScript(withoutSteadyAsking);
  return { page, held: heldBy(page) };
}

/** The requests of the page that wait for an event now. */
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
