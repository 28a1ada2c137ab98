import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Bell, DueDelivery } from '../../context.ts';
import { createAlarm } from '../../kit/alarm.ts';
import { coalesce } from '../../kit/coalesce.ts';
import { isId } from '../../kit/ids.ts';
import type { Logger } from '../../kit/logger.ts';
import type { DatabaseAccess } from '../../platform/database/connection/connections.ts';

/** If a wake-up is lost, the schedule wakes the dispatchers later. No call throws. */
export interface RemoteBell extends Bell {
  stop(): Promise<void>;
}

export interface Ringable {
  ring(): void;
}

interface BellSettings {
  database: DatabaseAccess;
  log: Logger;
  /** The sender's name in notifications. A process ignores notifications with its own name. */
  name?: string;
}

const channel = 'tillhook_delivery';

interface NotifyRate {
  everyMs: number;
  /** After a pause, as many notifications as the rate allows in this time are sent at once. */
  catchUpMs: number;
}

/**
 * A notification for each commit would make commits wait for one another in Postgres.
 * See docs/decisions/delivery.md, "The bell is rung after the commit".
 */
const usualRate: NotifyRate = { everyMs: 3, catchUpMs: 150 };
const minReconnectMs = 250;
const maxReconnectMs = 10_000;

/** A notification contains delivery ids, unless there was a wake-up without ids since the last notification. */
export function createRemoteBell(
  { database, log, name = '' }: BellSettings,
  { everyMs, catchUpMs } = usualRate,
): RemoteBell {
  const pool = database.openPool(1);
  const warn = (error: unknown) => log.warn({ err: error }, 'Failed to notify other dispatchers of due deliveries');
  pool.on('error', warn);
  let nextAtMs = 0;
  let due: DueDelivery[] = [];
  let isWithoutIds = false;

  async function notify(): Promise<void> {
    nextAtMs = Math.max(nextAtMs, performance.now() - catchUpMs) + everyMs;
    const text = writeNotification({ from: name, due: isWithoutIds ? undefined : due });
    due = [];
    isWithoutIds = false;
    await pool.query('select pg_notify($1, $2)', [channel, text]).catch(warn);
    const waitMs = nextAtMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
  }

  const { ring: notifySoon, idle } = coalesce(notify, warn);
  return {
    ring() {
      isWithoutIds = true;
      notifySoon();
    },
    ringFor(deliveries) {
      due.push(...deliveries);
      notifySoon();
    },
    async stop() {
      await idle();
      await pool.end();
    },
  };
}

/** While the database connection is lost, only the schedule and the dispatcher's timer wake the dispatcher. */
export function listenForBell(dispatcher: Bell, { database, log, name }: BellSettings): { stop(): Promise<void> } {
  let client: Client | undefined;
  let reconnectMs = minReconnectMs;
  let isStopped = false;
  const alarm = createAlarm(() => void connect());
  let checking: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const candidate = database.openClient();
    client = candidate;
    let isLost = false;
    const reconnectLater = (error?: Error) => {
      if (isLost || isStopped) return;
      isLost = true;
      clearInterval(checking);
      log.warn({ err: error, retryInMs: reconnectMs }, 'Failed to receive notifications of due deliveries');
      candidate.end().catch(() => {});
      alarm.within(reconnectMs);
      reconnectMs = Math.min(reconnectMs * 2, maxReconnectMs);
    };
    candidate.on('error', reconnectLater).on('end', () => reconnectLater());
    candidate.on('notification', ({ payload = '' }) => {
      const { from, due } = readNotification(payload);
      if (name && from === name) return;
      if (due) dispatcher.ringFor(due);
      else dispatcher.ring();
    });
    try {
      await candidate.connect();
      await candidate.query(`listen ${channel}`);
      reconnectMs = minReconnectMs;
      // A dead connection looks like a silent connection, but a query on it fails at its time limit.
      const check = () => void candidate.query('select').catch(reconnectLater);
      checking = setInterval(check, database.limits.statementMs).unref();
      // This process may have missed notifications before it began to listen.
      dispatcher.ring();
    } catch (error) {
      reconnectLater(error as Error);
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

interface Notification {
  from: string;
  /** `due` is undefined if the receiver has to find the deliveries by a claim. */
  due: readonly DueDelivery[] | undefined;
}

/** Postgres accepts 7999 bytes as the payload of a `NOTIFY`, and each delivery takes 79 bytes. */
const maxIds = 90;

function writeNotification({ from, due = [] }: Notification): string {
  const isNamed = due.length > 0 && due.length <= maxIds;
  return JSON.stringify({ from, ...(isNamed && { due: due.map(({ id, endpointId }) => [id, endpointId]) }) });
}

/** A process of another version may send only its name. Any payload wakes the dispatcher. */
function readNotification(text: string): Notification {
  try {
    const { from, due } = JSON.parse(text);
    return { from: String(from), due: readDue(due) };
  } catch {
    return { from: text, due: undefined };
  }
}

function readDue(due: unknown): DueDelivery[] | undefined {
  if (!Array.isArray(due) || due.length === 0) return undefined;
  const named = due.map(([id, endpointId]) => ({ id, endpointId }));
  return named.every(({ id, endpointId }) => isId(id) && isId(endpointId)) ? named : undefined;
}
