import type { ExecutionContext } from 'ava';
import { Client } from 'pg';
import { v7 } from 'uuid';
import type { TestMerchant, TestServer } from '../server/tillhook.ts';

interface WantedEvent {
  event?: string;
  reference?: string;
  mode?: 'test' | 'live';
  at?: Date;
}

export interface HeldEvent {
  id: string;
  commit(): Promise<void>;
}

/** The transaction stays open, so that later events commit before this event. */
export async function holdEvent(
  t: ExecutionContext,
  { database }: Pick<TestServer, 'database'>,
  {
    merchant: { id: merchantId },
    event = 'checkout.success',
    reference = 'order-1',
    mode = 'test',
    at = new Date(),
  }: WantedEvent & { merchant: Pick<TestMerchant, 'id'> },
): Promise<HeldEvent> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  t.teardown(() => client.end());
  await client.query('begin');
  const id = v7({ msecs: at.getTime() });
  await client.query(
    'insert into event (id, merchant_id, mode, name, reference, body, created_at) values ($1, $2, $3, $4, $5, $6, $7)',
    [id, merchantId, mode, event, reference, bodyOf(event, reference), at],
  );
  return {
    id,
    async commit() {
      await client.query('commit');
      await client.end();
    },
  };
}

export async function insertEvent(...given: Parameters<typeof holdEvent>): Promise<string> {
  const { id, commit } = await holdEvent(...given);
  await commit();
  return id;
}

const bodyOf = (event: string, reference: string) => {
  const data = { reference, amount: 500_000, currency: 'NGN', status: 'completed', customerEmail: 'ada@example.com' };
  return `${JSON.stringify({ event, data, timestamp: '2026-11-21T10:00:00.000Z' }).slice(0, -1)},"webhookId":"`;
};
