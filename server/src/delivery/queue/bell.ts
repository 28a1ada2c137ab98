import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { DatabaseAccess } from '../../database/connections.ts';
import { coalesce } from '../../kit/coalesce.ts';
import type { Logger } from '../../kit/logger.ts';
import { createAlarm } from './alarm.ts';

export interface Bell {
  /** Wakes the dispatcher. Returns at once and never fails; a ring that is lost is made good by the schedule. */
  ring(): void;
  stop(): Promise<void>;
}

export interface Ringable {
  ring(): void;
}

interface BellRope {
  database: DatabaseAccess;
  log: Logger;
  /** Of who rings, and of who listens: nobody is woken by himself. */
  name?: string;
}

const channel = 'tillhook_delivery';
/** How often it notifies: so far apart when it is rung all the time, and sooner to make up for so long a rest. */
interface Pace {
  everyMs: number;
  restMs: number;
}

/**
 * One notification for each commit would keep Postgres from committing. Where commits are few, none of them waits for others.
 * See docs/decisions/delivery.md, "The bell is rung after the commit".
 */
const usualPace: Pace = { everyMs: 3, restMs: 150 };
const shortestReconnectMs = 250;
const longestReconnectMs = 10_000;

/** The bell for the dispatchers of other processes: it notifies them, at most once in a few milliseconds for long. */
export function createRemoteBell({ database, log, name = '' }: BellRope, { everyMs, restMs } = usualPace): Bell {
  const pool = database.openPool(1);
  const complain = (error: unknown) => log.warn({ err: error }, 'the delivery bell cannot be rung');
  pool.on('error', complain);
  let nextAtMs = 0;

  async function notify(): Promise<void> {
    nextAtMs = Math.max(nextAtMs, performance.now() - restMs) + everyMs;
    await pool.query('select pg_notify($1, $2)', [channel, name]).catch(complain);
    const waitMs = nextAtMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
  }

  const { ring, idle } = coalesce(notify, complain);
  return {
    ring,
    async stop() {
      await idle();
      await pool.end();
    },
  };
}

/** Rings the dispatcher whenever another process notifies. Without a connection the schedule has to do. */
export function listenForBell(dispatcher: Ringable, { database, log, name }: BellRope): { stop(): Promise<void> } {
  let client: Client | undefined;
  let reconnectMs = shortestReconnectMs;
  let isStopped = false;
  const alarm = createAlarm(() => void connect());
  let checking: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const candidate = database.openClient();
    client = candidate;
    let isLost = false;
    const lose = (error?: Error) => {
      if (isLost || isStopped) return;
      isLost = true;
      clearInterval(checking);
      log.warn({ err: error, retryInMs: reconnectMs }, 'the delivery bell cannot be heard');
      candidate.end().catch(() => {});
      alarm.within(reconnectMs);
      reconnectMs = Math.min(reconnectMs * 2, longestReconnectMs);
    };
    candidate.on('error', lose).on('end', () => lose());
    candidate.on('notification', ({ payload }) => {
      if (!name || payload !== name) dispatcher.ring();
    });
    try {
      await candidate.connect();
      await candidate.query(`listen ${channel}`);
      reconnectMs = shortestReconnectMs;
      // A dead connection looks like one without notifications. A query over it fails in time and shows that it is dead.
      checking = setInterval(() => void candidate.query('select').catch(lose), database.limits.statementMs).unref();
      // What was rung while nobody listened.
      dispatcher.ring();
    } catch (error) {
      lose(error as Error);
    }
  }

  void connect();
  return {
    async stop() {
      isStopped = true;
      alarm.cancel();
      clearInterval(checking);
      await client?.end().catch(() => {});
    },
  };
}
