/** Opening the store does not connect, so that the process also starts while the store is unreachable. */
import { PostgresBackend } from '@agendajs/postgres-backend';
import type { AgendaBackend } from 'agenda';
import { StartError } from '../../kit/errors.ts';
import type { Logger } from '../../kit/logger.ts';
import type { DatabaseAccess } from '../database/connection/connections.ts';

interface StoreSettings {
  postgres: DatabaseAccess;
  /** Without this URL, the store is in Postgres. */
  mongodbUrl?: string;
  log: Logger;
}

export interface ScheduleStore {
  backend: AgendaBackend;
  connect(): Promise<void>;
  ping(): Promise<unknown>;
  close(): Promise<void>;
  reopen(): ScheduleStore;
}

/** A store that does not answer within this time counts as unreachable. */
export const answerMs = 5000;

export const warnIn = (log: Logger) => (error: unknown) => log.warn({ err: error }, 'The schedule failed');

export async function openScheduleStore({ postgres, mongodbUrl, log }: StoreSettings): Promise<ScheduleStore> {
  return mongodbUrl ? openMongodb(mongodbUrl) : openPostgres(postgres, warnIn(log));
}

/**
 * A migration creates the table, because processes that start at the same time would all try to create it. The store
 * does not listen for notifications: Agenda notifies only of single jobs, and all jobs here are recurring.
 */
function openPostgres(postgres: DatabaseAccess, warn: (error: unknown) => void): ScheduleStore {
  const pool = postgres.openPool(2);
  pool.on('error', warn);
  const backend = new PostgresBackend({ pool, ensureSchema: false, disableNotifications: true });
  return {
    backend,
    connect: () => backend.connect(),
    ping: () => pool.query('select from agenda_jobs limit 0'),
    close() {
      // The embedded Postgres stops next, perhaps before it has noticed that the store's connections have ended.
      pool.off('error', warn).on('error', () => {});
      return pool.end();
    },
    reopen: () => openPostgres(postgres, warn),
  };
}

/** MongoDB's packages are imported only here, so that a process with its schedule in Postgres starts faster. */
async function openMongodb(url: string): Promise<ScheduleStore> {
  const [{ MongoBackend }, { MongoClient }] = await Promise.all([import('@agendajs/mongo-backend'), import('mongodb')]);
  const open = (): ScheduleStore => {
    const client = new MongoClient(url, {
      serverSelectionTimeoutMS: 2000,
      waitQueueTimeoutMS: answerMs,
      // Without this limit, the driver would wait forever for a response that was lost.
      socketTimeoutMS: answerMs,
    });
    const db = client.db();
    const backend = new MongoBackend({ mongo: db });
    const connectBackend = backend.connect.bind(backend);
    return {
      backend,
      async connect() {
        // A client that failed to connect does not retry: every later operation would fail because the client is
        // closed.
        await client.connect();
        await connectBackend();
      },
      ping: () => db.command({ ping: 1 }),
      close: () => client.close(),
      reopen: open,
    };
  };
  return orStartError(open);
}

function orStartError<Made>(make: () => Made): Made {
  try {
    return make();
  } catch (cause) {
    throw new StartError(`MONGODB_URL cannot be used: ${(cause as Error).message}`, { cause });
  }
}
