import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { DueDelivery } from '../../context.ts';
import { createAlarm } from '../../kit/alarm.ts';
import { coalesce } from '../../kit/coalesce.ts';
import { isId } from '../../kit/ids.ts';
import type { Logger } from '../../kit/logger.ts';
import type { DatabaseAccess } from '../../platform/database/connection/connections.ts';

export interface Bell {
  /**
   * Wakes the dispatcher. Returns at once and never fails. If the wake-up is lost, the schedule wakes the dispatcher
   * later.
   */
  ring(): void;
  /** The same for deliveries that it can claim by their ids, because they are first in line for their endpoints. */
  ringFor(deliveries: readonly DueDelivery[]): void;
  stop(): Promise<void>;
}

export interface Ringable {
  ring(): void;
}

interface BellSettings {
  database: DatabaseAccess;
  log: Logger;
  /** The name of this process, so that it can ignore its own notifications. */
  name?: string;
}

const channel = 'tillhook_delivery';
/** How often the bell notifies. */
interface NotifyRate {
  /** The time between two notifications while commits follow each other without a pause. */
  everyMs: number;
  /** After a quiet time, as many notifications as fit into this much time are sent without a pause. */
  catchUpMs: number;
}

/**
 * One notification for each commit would make commits wait for each other in Postgres. Where commits are few, each of
 * them notifies at once.
 * See docs/decisions/delivery.md, "The bell is rung after the commit".
 */
const usualRate: NotifyRate = { everyMs: 3, catchUpMs: 150 };
const shortestReconnectMs = 250;
const longestReconnectMs = 10_000;

/**
 * Wakes the dispatchers of other processes by `NOTIFY`, once in a few milliseconds on average at most. The notification
 * names the deliveries unless one of the wake-ups since the last notification was for others too.
 */
export function createRemoteBell({ database, log, name = '' }: BellSettings, { everyMs, catchUpMs } = usualRate): Bell {
  const pool = database.openPool(1);
  const warn = (error: unknown) => log.warn({ err: error }, 'Other dispatchers cannot be notified of due deliveries');
  pool.on('error', warn);
  let nextAtMs = 0;
  let due: DueDelivery[] = [];
  let isForOthers = false;

  async function notify(): Promise<void> {
    nextAtMs = Math.max(nextAtMs, performance.now() - catchUpMs) + everyMs;
    const text = writeNotification({ from: name, due: isForOthers ? undefined : due });
    due = [];
    isForOthers = false;
    await pool.query('select pg_notify($1, $2)', [channel, text]).catch(warn);
    const waitMs = nextAtMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
  }

  const { ring: notifySoon, idle } = coalesce(notify, warn);
  return {
    ring() {
      isForOthers = true;
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

/**
 * Wakes the dispatcher when another process notifies. Without a connection, only the schedule and the dispatcher's
 * timer wake it.
 */
export function listenForBell(
  dispatcher: Pick<Bell, 'ring' | 'ringFor'>,
  { database, log, name }: BellSettings,
): { stop(): Promise<void> } {
  let client: Client | undefined;
  let reconnectMs = shortestReconnectMs;
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
      log.warn({ err: error, retryInMs: reconnectMs }, 'Notifications of due deliveries cannot be received');
      candidate.end().catch(() => {});
      alarm.within(reconnectMs);
      reconnectMs = Math.min(reconnectMs * 2, longestReconnectMs);
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
      reconnectMs = shortestReconnectMs;
      // A dead connection looks like one without notifications. A query on it fails within its time limit.
      const check = () => void candidate.query('select').catch(reconnectLater);
      checking = setInterval(check, database.limits.statementMs).unref();
      // Notifications may have been missed before this process listened.
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

/** What the text of a `NOTIFY` says, by which one process tells the others of due deliveries. */
interface Notification {
  /** The name of the process that sent it. */
  from: string;
  /** The deliveries that became due. Undefined when the receiver has to look for them. */
  due: readonly DueDelivery[] | undefined;
}

/** Postgres accepts 7999 bytes, and each delivery takes 79. */
const maxNamed = 90;

function writeNotification({ from, due = [] }: Notification): string {
  const isNamed = due.length > 0 && due.length <= maxNamed;
  return JSON.stringify({ from, ...(isNamed && { due: due.map(({ id, endpointId }) => [id, endpointId]) }) });
}

/** Another version may have sent only the name of its process. Any text wakes the dispatcher. */
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
