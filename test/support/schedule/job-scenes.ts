/** If a job runs again, or in two processes, the result must be the same. */
import { firstIdAt, newId } from '@tillhook/server/src/kit/ids.ts';
import type { JobName } from '@tillhook/server/src/start/recurring-work.ts';
import type { ExecutionContext } from 'ava';
import { insertPayment } from '../database/empty-database.ts';
import { withoutGuards } from '../money/filled-ledger.ts';
import { payByForm } from '../money/hosted-page.ts';
import { ledgerBreaches } from '../money/ledger.ts';
import { leaveAttemptUndecided, makeAttemptsDue, startCheckout } from '../money/payments.ts';
import { paidMerchant } from '../money/refunds.ts';
import { eventsOf, fundedMerchant, recipient } from '../money/transfers.ts';
import { insertDeliveries, payOnce, unreachableUrl } from '../receivers/deliveries.ts';
import { startReceiver } from '../receivers/receiver.ts';
import { figuresOf } from '../server/figures.ts';
import type { ServerWithContext } from '../server/tillhook.ts';
import { addResetLink } from '../users/password-reset.ts';
import { addUser } from '../users/users.ts';

interface Scene {
  look(): Promise<unknown>;
  done: unknown;
  /** A run may leave its work to the next run, because another transaction holds a lock. */
  mayGiveWay?: boolean;
}

type Arrange = (server: ServerWithContext, t: ExecutionContext) => Promise<Scene>;

export const jobScenes: Record<JobName, Arrange> = {
  deliver: async ({ createMerchant, database }, t) => {
    const receiver = await startReceiver();
    t.teardown(() => receiver.stop());
    const { id, client } = await createMerchant();
    await client.webhookEndpoints.register({ url: receiver.url });
    await payOnce(client);
    return {
      look: async () => [
        receiver.deliveries.length,
        await database.query('select status, attempt_count from delivery where merchant_id = $1', [id]),
      ],
      done: [1, [{ status: 'delivered', attempt_count: 1 }]],
    };
  },
  'settle-transfers': async (server) => {
    const merchant = await fundedMerchant(server, 1000);
    await merchant.client.transfers.create({
      amount: 300,
      reference: 'pay-1042',
      recipient: recipient(),
    });
    return {
      look: async () => [
        (await merchant.client.transfers.get('pay-1042')).status,
        await eventsOf(server, merchant),
        await ledgerBreaches(server, merchant.id),
      ],
      done: ['completed', ['transfer.success completed'], []],
    };
  },
  'settle-refunds': async (server) => {
    const merchant = await paidMerchant(server, 1000);
    await merchant.client.refunds.create('order-1042', { amount: 300, reference: 'refund-1' });
    return {
      look: async () => [
        (await merchant.client.refunds.get('refund-1')).status,
        await eventsOf(server, merchant),
        await ledgerBreaches(server, merchant.id),
      ],
      done: ['completed', ['checkout.success completed', 'refund.success completed'], []],
    };
  },
  // Without a mail server, a mail stays in the mailbox, which counts as sent.
  'send-mails': async ({ context, database }) => {
    const id = newId();
    const values = context.sealer.seal(JSON.stringify({ details: {} }), id);
    await database.query(
      `insert into mail (id, kind, recipient, message_id, sealed_values, status, created_at)
       values ($1, 'password_changed', 'ada@example.com', $2, $3, 'pending', now())`,
      [id, `<${id}@example.com>`, values],
    );
    return {
      look: () => database.query('select status, tries from mail where id = $1', [id]),
      done: [{ status: 'sent', tries: 1 }],
    };
  },
  'notify-people': async (server) => {
    const merchant = await server.createMerchant();
    await addUser(server, merchant);
    const { id } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
    await server.database.query(
      `update webhook_endpoint set failing_since = now() - interval '61 minutes' where id = $1`,
      [id],
    );
    return {
      look: () => server.database.query('select kind from mail where merchant_id = $1', [merchant.id]),
      done: [{ kind: 'endpoint_failing' }],
    };
  },
  'expire-checkouts': async (server) => {
    const merchant = await server.createMerchant();
    const { reference, checkoutUrl } = await startCheckout(merchant);
    await payByForm(checkoutUrl, '4000000000000002');
    await startCheckout(merchant, 'order-1043');
    await server.database.query(`update payment set expires_at = now() - interval '1 minute' where merchant_id = $1`, [
      merchant.id,
    ]);
    return {
      look: async () => [
        (await merchant.client.payments.get(reference)).status,
        (await eventsOf(server, merchant)).toSorted(),
      ],
      done: ['failed', ['checkout.expired expired', 'checkout.failed failed']],
    };
  },
  'settle-undecided': async (server) => {
    const merchant = await server.createMerchant();
    const { reference, accessCode } = await startCheckout(merchant);
    await leaveAttemptUndecided(server, accessCode);
    await makeAttemptsDue(server, merchant);
    return {
      look: async () => {
        const { status, attempts, failureCode } = await merchant.client.payments.get(reference);
        return { status, attempts, failureCode };
      },
      // The simulator has charged nothing, and the customer may try again.
      done: { status: 'pending', attempts: 1, failureCode: 'processing_error' },
    };
  },
  'credit-missing-payments': (server) => missingFromLedger(server, '1 minute'),
  'credit-missing-payments-of-the-week': (server) => missingFromLedger(server, '3 days'),
  'purge-deliveries': async (server) => {
    const merchant = await server.createMerchant();
    const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
    const [old, kept] = await insertDeliveries(server, merchant, { webhookId, count: 2 });
    const ago = firstIdAt(new Date(Date.now() - 31 * 86_400_000));
    await server.database.query(
      `with older as (update delivery set id = $2, event_id = $2 where id = $1 returning id)
       update event set id = $2 where id = (select event_id from delivery where id = $1)`,
      [old, ago],
    );
    return {
      look: () =>
        server.database.query(
          `select delivery.id, event.id is not null as "hasEvent",
             (select count(*)::int from event where merchant_id = $1) as events
           from delivery left join event on event.id = event_id where delivery.merchant_id = $1`,
          [merchant.id],
        ),
      done: [{ id: kept, hasEvent: true, events: 1 }],
    };
  },
  'close-hours': async (server) => {
    const merchant = await server.createMerchant();
    const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
    const [old] = await insertDeliveries(server, merchant, { webhookId, count: 2 });
    const ago = new Date(Date.now() - 3 * 3_600_000);
    await server.database.query('update delivery set id = $2, created_at = $3 where id = $1', [
      old,
      firstIdAt(ago),
      ago,
    ]);
    return {
      look: () =>
        server.database.query(
          `select is_closed, event, status, deliveries from delivery_hour
           left join delivery_hour_count using (merchant_id, mode, starts_at) where merchant_id = $1`,
          [merchant.id],
        ),
      done: [{ is_closed: true, event: 'checkout.success', status: 'failed', deliveries: 1 }],
    };
  },
  'count-payment-hours': async (server) => {
    const { id } = await server.createMerchant();
    await insertOldPayment(server, id);
    return {
      look: () => server.database.query('select status, payments from payment_hour_count where merchant_id = $1', [id]),
      done: [{ status: 'expired', payments: 1 }],
    };
  },
  'count-entries': async (server) => {
    const { id } = await paidMerchant(server, 1000);
    return {
      look: () =>
        server.database.query(
          `select payments, gross::int, refunds::int from ledger_quarter_count
           join ledger_account on ledger_account.id = account_id where merchant_id = $1 and kind = 'collection'`,
          [id],
        ),
      done: [{ payments: 1, gross: 1000, refunds: 0 }],
    };
  },
  'fill-search': async (server) => {
    const { id } = await server.createMerchant();
    await insertOldPayment(server, id);
    return {
      look: () =>
        server.database.query('select list, words from search_record where merchant_id = $1 order by list', [id]),
      done: [
        { list: 'test customer', words: 'ada@example.com' },
        { list: 'test payment', words: 'old\nada@example.com\n=5=2ngn' },
      ],
    };
  },
  'make-days': async ({ database }) => {
    // Drops the last partition: no test has events of this day, whose rows would block the job.
    const [day] = await database.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'event'::regclass
         and inhrelid::regclass::text ~ '[0-9]$' order by 1 desc limit 1`,
    );
    await database.query(`drop table ${day?.name}`);
    return {
      look: () => database.query('select to_regclass($1)::text as name', [day?.name]),
      done: [day],
      mayGiveWay: true,
    };
  },
  'purge-idempotency-keys': async ({ createMerchant, database }) => {
    const { id } = await createMerchant();
    await database.query(
      `insert into idempotency_key (merchant_id, mode, key, fingerprint, response, created_at)
       select $1, 'test', age, '', '', now() - age::interval from unnest(array['25 hours', '23 hours']) as age`,
      [id],
    );
    return {
      look: () => database.query('select key from idempotency_key where merchant_id = $1', [id]),
      done: [{ key: '23 hours' }],
    };
  },
  'purge-processor-events': async ({ database }) => {
    await database.query(
      `insert into processor_event (processor, id, received_at)
       select 'stripe', age, now() - age::interval from unnest(array['31 days', '29 days']) as age`,
    );
    return { look: () => database.query('select id from processor_event'), done: [{ id: '29 days' }] };
  },
  // A mail that is still pending is kept.
  'purge-mails': async ({ database }) => {
    await database.query(
      `insert into mail (id, kind, recipient, message_id, sealed_values, status, created_at, ended_at, next_check_at)
       select gen_random_uuid(), kind, 'ada@example.com', '', '', status, now() - interval '40 days',
         now() - age::interval, case when status = 'pending' then now() + interval '1 day' end
       from (values ('old', 'sent', '31 days'), ('old', 'failed', '31 days'), ('old', 'refused', '31 days'),
         ('new', 'sent', '29 days'), ('waiting', 'pending', null)) as given (kind, status, age)`,
    );
    return {
      look: () => database.query(`select kind from mail where kind in ('old', 'new', 'waiting') order by kind`),
      done: [{ kind: 'new' }, { kind: 'waiting' }],
    };
  },
  'purge-password-resets': async (server) => {
    const [old, young] = [`${newId()}@example.com`, `${newId()}@example.com`];
    await addResetLink(server, old, { ageMinutes: 31 });
    await addResetLink(server, young, { ageMinutes: 29 });
    return {
      look: () => server.database.query('select email from password_reset where email in ($1, $2)', [old, young]),
      done: [{ email: young }],
    };
  },
  'settle-rotations': async ({ createMerchant, database }) => {
    const { client } = await createMerchant();
    const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
    await client.webhookEndpoints.rotateSecret(id);
    await database.query(
      `update webhook_endpoint set secret_rotation = jsonb_set(secret_rotation, '{next,at}', to_jsonb($2::text))
       where id = $1`,
      [id, new Date(Date.now() - 60_000).toISOString()],
    );
    return {
      look: () =>
        database.query(
          `select secret_rotation->>'next' as next, secret_rotation->'previous' is not null as "hasPrevious"
           from webhook_endpoint where id = $1`,
          [id],
        ),
      done: [{ next: null, hasPrevious: true }],
    };
  },
  // This job must be last, because its scene makes the ledger wrong, and no later step corrects the ledger.
  'check-ledger': async (server) => {
    const { id } = await fundedMerchant(server, 1000);
    const corruption = `update ledger_account set balance = balance + 1 where merchant_id = '${id}'`;
    await server.database.query(`begin; ${withoutGuards} ${corruption}; commit`);
    return {
      look: async () => ((await figuresOf(server)).get('tillhook_ledger_breaches') ?? 0) > 0,
      done: true,
    };
  },
};

async function insertOldPayment({ database }: ServerWithContext, merchantId: string): Promise<void> {
  const ago = new Date(Date.now() - 3 * 3_600_000);
  await database.query(
    `insert into payment (id, merchant_id, mode, reference, access_code, amount, currency, status, customer_email,
       metadata, attempts, expires_at, created_at, updated_at)
     values ($1, $2, 'test', 'old', gen_random_uuid(), 5, 'NGN', 'expired', 'ada@example.com', '{}', 0, $3, $3, $3)`,
    [firstIdAt(ago), merchantId, ago],
  );
}

/** Inserts a payment that a release without a ledger completed at this time in the past. */
async function missingFromLedger(server: ServerWithContext, ago: string): Promise<Scene> {
  const { id, client } = await server.createMerchant();
  const paymentId = await insertPayment(server.database, id);
  await server.database.query('update payment set completed_at = now() - $2::interval where id = $1', [paymentId, ago]);
  return {
    look: async () => [
      (await client.wallets.list()).wallets[0]?.available,
      (await client.wallets.listEntries('collection')).total,
      await ledgerBreaches(server, id),
    ],
    done: [100, 1, []],
  };
}
