/**
 * At most one request for events is open, and none while the tab is hidden, because all tabs share the browser's few
 * connections.
 * See docs/decisions/dashboard.md, "Live pages ask again when an event comes".
 */

import type { Query } from '@tanstack/react-query';
import { type Mode, TillhookError } from '@tillhook/sdk/session';
import { tillhookIn } from './api.ts';
import { liveEveryMs, setHasEvents } from './live-pace.ts';
import { queryClient } from './query-client.ts';

const waitSeconds = 25;

export async function followEvents(mode: Mode, signal: AbortSignal): Promise<void> {
  const reader: Reader = { mode };
  while (!signal.aborted) {
    await untilVisible(signal);
    const visible = whileVisible(signal);
    try {
      await readOn(reader, visible.signal);
    } catch (error) {
      if (visible.signal.aborted) continue;
      setHasEvents(false);
      if (!mayPass(error, reader)) return;
      // A refresh makes the pages show that the service is unreachable. The pages then retry until the service answers.
      refreshLivePages();
      await pause(Math.max(liveEveryMs, retryAfterOf(error)), visible.signal);
    } finally {
      visible.end();
    }
  }
  setHasEvents(false);
}

interface Reader {
  mode: Mode;
  /** The position after the last event that was read. Undefined before the first response. */
  place?: { after: string } | { order: 'asc' } | undefined;
  /** Whether events may have been missed: true before the first response, and after the service was unreachable. */
  hasGap?: boolean;
}

async function readOn(reader: Reader, signal: AbortSignal): Promise<never> {
  const { events } = tillhookIn(reader.mode);
  for (;;) {
    const { place } = reader;
    const askedAt = Date.now();
    const query = place ? { ...place, limit: 100, wait: waitSeconds } : ({ order: 'desc', limit: 1, wait: 0 } as const);
    const { events: page } = await events.list(query, { signal });
    setHasEvents(true);
    const last = page.at(-1)?.id;
    if (last !== undefined) reader.place = { after: last };
    else reader.place ??= { order: 'asc' };
    if (reader.hasGap || (place && last !== undefined)) refreshLivePages();
    reader.hasGap = false;
    // A service that is shutting down answers at once and without an event, so this loop pauses between requests.
    if (place && last === undefined && Date.now() - askedAt < 1_000) await pause(liveEveryMs, signal);
  }
}

/** Whether to retry the request for events. After a refusal this is false, and the pages show the error themselves. */
function mayPass(error: unknown, reader: Reader): boolean {
  reader.hasGap = true;
  if (!(error instanceof TillhookError)) return false;
  // The service has deleted the event at this position. The pages request their data again, so they miss nothing.
  if (error.param === 'after') reader.place = undefined;
  return error.param === 'after' || error.status === null || error.status === 429 || error.status >= 500;
}

const retryAfterOf = (error: unknown) => (error instanceof TillhookError ? (error.retryAfterMs ?? 0) : 0);

async function untilVisible(signal: AbortSignal): Promise<void> {
  while (document.visibilityState !== 'visible' && !signal.aborted) {
    const { promise, resolve } = Promise.withResolvers<void>();
    document.addEventListener('visibilitychange', () => resolve(), { once: true });
    signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
  }
}

function whileVisible(signal: AbortSignal): { signal: AbortSignal; end: () => void } {
  const ended = new AbortController();
  const hidden = new AbortController();
  const look = () => {
    if (document.visibilityState !== 'visible') hidden.abort();
  };
  document.addEventListener('visibilitychange', look, { signal: ended.signal });
  return { signal: AbortSignal.any([signal, hidden.signal]), end: () => ended.abort() };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}

interface Repetition {
  at: number;
  timer: ReturnType<typeof setTimeout>;
}

const repetitions = new WeakMap<Query, Repetition>();
let postponed: ReturnType<typeof setTimeout> | undefined;

/**
 * Refreshes the live pages now, and again after a pause, when the deliveries of the event have usually been attempted.
 * Many events do not make the requests more frequent than on a live page without events.
 */
export function refreshLivePages(): void {
  clearTimeout(postponed);
  // An event may arrive before the response to the change that caused the event. A refresh would then close the dialog
  // that shows the response.
  if (queryClient.isMutating() > 0) {
    postponed = setTimeout(refreshLivePages, liveEveryMs);
    return;
  }
  for (const query of queryClient.getQueryCache().findAll({ type: 'active' })) {
    const everyMs = Number(query.meta?.liveEveryMs);
    if (everyMs > 0 && !isRefused(query)) repeatRequest(query, everyMs);
  }
}

function repeatRequest(query: Query, everyMs: number): void {
  const last = repetitions.get(query);
  clearTimeout(last?.timer);
  const pauseMs = last ? last.at + everyMs - Date.now() : 0;
  if (pauseMs <= 0) refetch(query);
  const at = pauseMs <= 0 ? Date.now() : (last?.at ?? 0);
  const later = () => {
    repetitions.set(query, { at: Date.now(), timer });
    refetch(query);
  };
  const timer = setTimeout(later, pauseMs <= 0 ? everyMs : pauseMs);
  repetitions.set(query, { at, timer });
}

/** A response may have been computed before the event happened, so a request in flight is sent again too. */
function refetch({ queryKey }: Query): void {
  void queryClient.refetchQueries({ queryKey, exact: true, type: 'active' });
}

function isRefused({ state: { error } }: Query): boolean {
  return error instanceof TillhookError && error.status !== null && error.status < 500;
}
