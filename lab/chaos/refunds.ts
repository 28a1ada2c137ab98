import { setTimeout as sleep } from 'node:timers/promises';
import { Tillhook, TillhookError } from '@tillhook/sdk';
import { spawnCommand } from '@tillhook/test/support/server/command.ts';
import type { ProducerRecord } from './producer.ts';
import type { Server } from './server.ts';
import type { Stage } from './stage.ts';

/** A call without a response is repeated with the same `Idempotency-Key`, so two refunds of a payment are a fault. */
export interface Refunds extends ProducerRecord {
  refund(paymentReference: string): Promise<void>;
}

const amount = 200_000;
const maxCalls = 20;
const pauseMs = 200;
const patienceMs = 60_000;

/** Called with the status of an error response, or with null if a call got no response. */
export type OnStatus = (status: number | null) => void;

export function createRefunds(
  api: Pick<Server, 'url'>,
  shop: { id: string; key: string; onStatus: OnStatus },
): Refunds {
  const committed = new Set<string>();
  return {
    merchantId: shop.id,
    committed,
    /** Filled by `endRefunds`, because only the database has the references of refunds whose calls got no response. */
    inDoubt: new Set(),
    async refund(paymentReference) {
      for (let call = 0; call < maxCalls; call += 1) {
        const client = new Tillhook(shop.key, { baseUrl: api.url, maxRetries: 0, timeoutMs: 10_000 });
        const options = { idempotencyKey: `refund of ${paymentReference}` };
        const made = await client.refunds.create(paymentReference, { amount }, options).catch((error) => {
          if (error instanceof TillhookError) shop.onStatus(error.status);
        });
        if (made) return void committed.add(made.reference);
        await sleep(pauseMs);
      }
    },
  };
}

export interface ComparedRefunds {
  broken: string[];
  note: string;
}

/** All refunds become due immediately, because otherwise the service would ask the processor only a minute later. */
export async function endRefunds({ database }: Stage, { merchantId, committed, inDoubt }: Refunds): Promise<void> {
  await database.query(
    `update refund set next_check_at = now() where merchant_id = $1 and status in ('pending', 'processing')`,
    [merchantId],
  );
  const isAnyOpen = async () => {
    const open = `select from refund where merchant_id = $1 and status in ('pending', 'processing') limit 1`;
    return (await database.query(open, [merchantId])).rowCount === 1;
  };
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline && (await isAnyOpen()); ) await sleep(pauseMs);
  const { rows } = await database.query('select reference from refund where merchant_id = $1', [merchantId]);
  for (const { reference } of rows) if (!committed.has(reference)) inDoubt.add(reference);
}

export async function compareRefunds(stage: Stage, { merchantId, committed }: Refunds): Promise<ComparedRefunds> {
  const { rows } = await stage.database.query(
    `with told as (
       select reference, count(*) as deliveries from event join delivery on event_id = event.id
       where event.merchant_id = $1 and name like 'refund.%' group by reference
     ),
     made as (
       select reference, status, count(*) over (partition by payment_id) as of_payment from refund where merchant_id = $1
     )
     select count(*) filter (where status = 'completed')::int as completed,
       count(*) filter (where of_payment > 1)::int as doubled,
       count(*) filter (where status = 'completed' and deliveries is distinct from 1)::int as untold,
       count(*) filter (where status is distinct from 'completed' and deliveries > 0)::int as untrue,
       coalesce(json_agg(reference) filter (where status = 'completed'), '[]') as references
     from made full join told using (reference)`,
    [merchantId],
  );
  const [{ completed, doubled, untold, untrue, references }] = rows;
  const lost = [...committed].filter((reference) => !references.includes(reference)).length;
  const counted: [count: number, what: string][] = [
    [lost, 'acknowledged refunds did not complete'],
    [doubled, 'refunds of payments that were refunded more than once'],
    [untold, 'completed refunds without their event'],
    [untrue, 'events of refunds that did not complete'],
  ];
  return {
    broken: [
      ...(completed === 0 ? ['no refund completed, so nothing was proven about refunds'] : []),
      ...counted.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`),
      ...(await ledgerBreaches(stage, merchantId)),
    ],
    note: `${completed} refunds completed, ${committed.size} of them acknowledged`,
  };
}

/** Checks only the ledger of this merchant, because another merchant of the scenario has events without payments. */
async function ledgerBreaches({ databaseUrl }: Stage, merchantId: string): Promise<string[]> {
  const check = ['ledger', 'check', '--merchant', merchantId];
  const { code, stdout, stderr } = await spawnCommand({ DATABASE_URL: databaseUrl }, ...check).ended;
  return code === 0 ? [] : [`tillhook ledger check ended with ${code}: ${stdout}${stderr}`];
}
