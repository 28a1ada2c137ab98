import { Merchant } from '@tillhook/server/src/auth/merchant.entity.ts';
import { inTransaction } from '@tillhook/server/src/database/transaction.ts';
import { publish } from '@tillhook/server/src/delivery/publish.ts';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import test from 'ava';
import { serverForFile } from '../support/tillhook.ts';

const server = serverForFile();

test('rolls back what the ORM and what SQL wrote, and rings no bell', async (t) => {
  const { id: merchantId, client } = await server().createMerchant();
  await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });
  const id = newId();
  let rings = 0;

  const work = inTransaction({ ...server().context, bell: { ring: () => rings++ } }, async (context) => {
    context.em.persist(Object.assign(new Merchant(), { id, name: 'Gone', currency: 'NGN', createdAt: new Date() }));
    await publish(context, {
      merchantId,
      mode: 'test',
      name: 'checkout.success',
      reference: 'order-1042',
      data: {
        reference: 'order-1042',
        amount: 1,
        currency: 'NGN',
        status: 'completed',
        customerEmail: 'ada@example.com',
      },
      occurredAt: new Date(),
    });
    throw new Error('Late');
  });

  await t.throwsAsync(work, { message: 'Late' });
  t.deepEqual(await server().database.query('select id from merchant where id = $1', [id]), []);
  t.deepEqual(await server().database.query('select id from event where merchant_id = $1', [merchantId]), []);
  t.deepEqual(await server().database.query('select id from delivery where merchant_id = $1', [merchantId]), []);
  t.is(rings, 0);
});

test('runs what waits for the commit once, after it', async (t) => {
  const id = newId();
  const seen: number[] = [];
  const look = () => seen.push(1);

  await inTransaction(server().context, async (context) => {
    context.em.persist(Object.assign(new Merchant(), { id, name: 'Here', currency: 'NGN', createdAt: new Date() }));
    context.afterCommit(look);
    context.afterCommit(look);
    t.deepEqual(seen, []);
  });

  t.deepEqual(seen, [1]);
  t.is((await server().database.query('select id from merchant where id = $1', [id])).length, 1);
});
