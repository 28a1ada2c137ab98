/** Measures whether tables, or the memory of processes, grow while the service runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { residentMiB } from '../../support/memory.ts';
import type { Server } from '../server.ts';
import { lowest, median, outerThirds, type Sample, slopePerMinute } from './trend.ts';

/**
 * Tables that grow with each payment or delivery, until `RETENTION_DAYS` or forever. All other tables have rows about
 * merchants, or about work that ends.
 */
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
/** The maximum time between two runs of the garbage collector under load. */
const collectedWithinMs = 30_000;
/** The maximum growth factor of a table without history, from the first third of the run to the last third. */
const maxTableGrowth = 1.25;
const maxTableBytes = 1024 ** 2;

export interface Growth {
  memory: ProcessGrowth[];
  /** The tables without history that have grown, with their sizes. */
  grownTables: string[];
  /** The number of tables without history. */
  tables: number;
}

export interface ProcessGrowth {
  name: string;
  /** The memory of the process at the end. */
  rssMiB: number;
  /** The growth of the resident memory after the warm-up, in MiB per minute. */
  rssSlope: number;
  /** The growth of the heap after the warm-up, in MiB per minute. */
  heapSlope: number;
}

/**
 * Takes samples until `stop` is called. `stop` returns the growth in the samples that were taken after the warm-up.
 */
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
  // A failure ends the run only when `stop` awaits it.
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

/** Returns the sizes of all tables, including indexes and TOAST. The size of a table includes its partitions. */
async function tableSizes(database: Pool): Promise<{ name: string; bytes: number }[]> {
  const { rows } = await database.query(`
    select coalesce(pg_partition_root(oid), oid)::regclass::text as name, sum(pg_total_relation_size(oid))::float8 as bytes
    from pg_class where relkind in ('r', 'p') and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
    group by 1`);
  return rows;
}
