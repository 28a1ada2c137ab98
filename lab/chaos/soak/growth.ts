import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { residentMiB } from '../../support/memory.ts';
import type { Server } from '../server.ts';
import { lowest, median, outerThirds, type Sample, slopePerMinute } from './trend.ts';

/** Tables that grow with each payment or delivery, until `RETENTION_DAYS` or forever. */
const history = [
  'delivery',
  'delivery_attempt',
  'event',
  'idempotency_key',
  'ledger_entry',
  'ledger_transaction',
  'payment',
  'payment_attempt',
  'refund',
];

const pauseMs = 5000;
const collectedWithinMs = 30_000;
const maxTableGrowth = 1.25;
const maxTableBytes = 1024 ** 2;

export interface Growth {
  memory: ProcessGrowth[];
  grownTables: string[];
  tables: number;
}

export interface ProcessGrowth {
  name: string;
  rssMiB: number;
  /** The growth of the resident memory after the warm-up, in MiB per minute. */
  rssSlope: number;
  /** The growth of the heap after the warm-up, in MiB per minute. */
  heapSlope: number;
}

export function watchGrowth(database: Pool, servers: Record<string, Server>) {
  const memory = Object.entries(servers).map(([name, server]) => ({
    ...{ name, server },
    ...{ rss: [] as Sample[], heap: [] as Sample[] },
  }));
  const sizes = new Map<string, Sample[]>();
  const stopping = new AbortController();

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      const atMs = Date.now();
      for (const { server, rss, heap } of memory) {
        rss.push({ atMs, value: residentMiB(server.pid) });
        heap.push({ atMs, value: await heapMiB(server.url) });
      }
      for (const { name, bytes } of await tableSizes(database))
        sizes.set(name, [...(sizes.get(name) ?? []), { atMs, value: bytes }]);
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const watching = watch();
  // `stop` awaits this promise and reports its failure.
  watching.catch(() => {});
  return {
    async stop(warmUntil: Date): Promise<Growth> {
      stopping.abort();
      await watching;
      const warm = (samples: readonly Sample[]) => samples.filter(({ atMs }) => atMs >= warmUntil.getTime());
      const kept = [...sizes].filter(([name]) => !history.includes(name));
      return {
        memory: memory.map(({ name, rss, heap }) => ({
          name,
          rssMiB: rss.at(-1)?.value ?? Number.NaN,
          rssSlope: slopePerMinute(warm(rss)),
          heapSlope: slopePerMinute(lowest(warm(heap), collectedWithinMs)),
        })),
        grownTables: kept.flatMap(([name, samples]) => describeGrowth(name, warm(samples))),
        tables: kept.length,
      };
    },
  };
}

function describeGrowth(name: string, samples: readonly Sample[]): string[] {
  const [first, last] = outerThirds(samples).map((part) => median(part.map(({ value }) => value))) as [number, number];
  if (last <= first * maxTableGrowth + maxTableBytes) return [];
  return [`${name} grew from ${(first / 1024).toFixed(0)} to ${(last / 1024).toFixed(0)} KiB`];
}

async function heapMiB(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(text)?.[1]) / 1024 ** 2;
}

/** The sizes include indexes, TOAST and partitions. */
async function tableSizes(database: Pool): Promise<{ name: string; bytes: number }[]> {
  const { rows } = await database.query(`
    select coalesce(pg_partition_root(oid), oid)::regclass::text as name, sum(pg_total_relation_size(oid))::float8 as bytes
    from pg_class where relkind in ('r', 'p') and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
    group by 1`);
  return rows;
}
