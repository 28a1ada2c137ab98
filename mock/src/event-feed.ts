/**
 * The pages of lists, with what the mock remembers before the examples. A request with `wait` is held until there is an
 * event for it.
 */
import { once } from 'node:events';
import type { ModelOperation } from '@tillhook/openapi';
import { pageOf } from './list-page.ts';
import type { Memory } from './memory/memory.ts';
import type { Checked } from './request-check.ts';
import type { SeededList, SeedRecord } from './seeds.ts';

/** Returns the page, for which it waits if the query asks for that. */
export type WaitForPage = (operation: ModelOperation, list: SeededList, request: Checked) => Promise<SeedRecord>;

export function createEventFeed({ recall, outbox: { bell } }: Pick<Memory, 'recall' | 'outbox'>): WaitForPage {
  return async ({ id }, list, request) => {
    const { wait } = request.query;
    const page = () => pageOf(withRemembered(list, recall(id, request)), request);
    if (!wait) return page();
    // This timer does not keep the process of a mock that has stopped.
    const signal = AbortSignal.timeout(Number(wait) * 1000);
    for (;;) {
      const found = page();
      if ((found[list.key] as unknown[]).length > 0 || signal.aborted) return found;
      await once(bell, 'event', { signal }).catch(() => undefined);
    }
  };
}

/** An example with the reference of a remembered record is left out, because a reference is used once. */
function withRemembered(list: SeededList, remembered: readonly SeedRecord[]): SeededList {
  const isNamedOnce = ['payments', 'refunds', 'transfers'].includes(list.key);
  const taken = new Set(isNamedOnce ? remembered.map(({ reference }) => reference) : []);
  return { ...list, records: [...remembered, ...list.records.filter(({ reference }) => !taken.has(reference))] };
}
