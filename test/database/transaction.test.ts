import { type WriteContext, withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import { Merchant } from '@tillhook/server/src/people/merchants/merchant.entity.ts';
import { claimInBatches, inBatches, inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { publish } from '@tillhook/server/src/webhooks/queue/publish.ts';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { serverWithContext } from '../support/server/tillhook.ts';

const server = serverWithContext();

test('a failed transaction rolls back writes of the ORM and of SQL, and rings no bell', async (t) => {
  const { id: merchantId, client } = await server().createMerchant();
  await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });
  const id = newId();
  let rings = 0;

  const work = inTransaction({ ...server().context, bell: { ring: () => rings++, ringFor() {} } }, async (context) => {
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
      traceparent: null,
    });
    throw new Error('Late');
  });

  await t.throwsAsync(work, { message: 'Late' });
  t.deepEqual(await server().database.query('select id from merchant where id = $1', [id]), []);
  t.deepEqual(await server().database.query('select id from event where merchant_id = $1', [merchantId]), []);
  t.deepEqual(await server().database.query('select id from delivery where merchant_id = $1', [merchantId]), []);
  t.is(rings, 0);
});

test('a transaction runs the effects of afterCommit once, after the commit', async (t) => {
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

const merchantHere = () =>
  Object.assign(new Merchant(), { id: newId(), name: 'Here', currency: 'NGN', createdAt: new Date() });

const findMerchants = (ids: string[]) => server().database.query('select id from merchant where id = any($1)', [ids]);

test('batches run, each in a separate transaction, until a batch returns false', async (t) => {
  const made: string[] = [];
  const work = (last: number) => async (tx: WriteContext) => {
    const merchant = merchantHere();
    tx.em.persist(merchant);
    made.push(merchant.id);
    if (made.length > 5) throw new Error('Late');
    return made.length < last;
  };

  await inBatches(server().context, work(3));
  t.is(made.length, 3);
  await t.throwsAsync(inBatches(server().context, work(9)), { message: 'Late' });

  t.is(made.length, 6);
  t.is((await findMerchants(made)).length, 5);
});

test('claims continue until a batch is not full, and each claim is committed before the work on its batch begins', async (t) => {
  const sizes = [2, 2, 1, 2];
  const done: string[] = [];

  await claimInBatches(server().context, {
    batchSize: 2,
    async claim(tx) {
      const claimed = Array.from({ length: sizes.shift() ?? 0 }, merchantHere);
      for (const merchant of claimed) tx.em.persist(merchant);
      return claimed.map(({ id }) => id);
    },
    async work(_, id) {
      t.is((await findMerchants([id])).length, 1);
      done.push(id);
    },
  });

  t.is(done.length, 5);
  t.deepEqual(sizes, [2]);
});

const failure = (code: string) => Object.assign(new Error('Lost'), { code });

for (const code of ['40P01', '40001']) {
  test(`a transaction runs its work again after ${code}, without any effect of the first run`, async (t) => {
    const id = newId();
    let tries = 0;
    let effects = 0;

    await inTransaction(server().context, async (context) => {
      tries += 1;
      context.em.persist(Object.assign(new Merchant(), { id, name: 'Here', currency: 'NGN', createdAt: new Date() }));
      context.afterCommit(() => effects++);
      if (tries < 5) throw failure(code);
    });

    t.is(tries, 5);
    t.is(effects, 1);
    t.is((await server().database.query('select id from merchant where id = $1', [id])).length, 1);
  });
}

test('a transaction gives up after five attempts, and immediately after any other error', async (t) => {
  const triesUntil = async (code: string) => {
    let tries = 0;
    const work = inTransaction(server().context, async () => {
      tries += 1;
      throw failure(code);
    });
    t.is((await t.throwsAsync<Error & { code?: string }>(work))?.code, code);
    return tries;
  };

  t.is(await triesUntil('40P01'), 5);
  t.is(await triesUntil('55P03'), 1);
});

test('when two transactions wait for each other’s locks, each of them succeeds in the end', async (t) => {
  const [first, second] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const lock = ({ em }: WriteContext, id: string) =>
    em.getKysely<{ merchant: { id: string } }>().selectFrom('merchant').where('id', '=', id).forUpdate().execute();
  let haveMet = 0;
  const cross = (one: string, other: string) =>
    inTransaction(withFreshEntityManager(server().context), async (context) => {
      await lock(context, one);
      haveMet += 1;
      // In the first run, each transaction holds a lock that the other transaction needs.
      if (haveMet <= 2)
        await eventually(
          () => haveMet,
          (seen) => seen >= 2,
        );
      await lock(context, other);
    });

  await t.notThrowsAsync(Promise.all([cross(first.id, second.id), cross(second.id, first.id)]));

  t.true(haveMet > 2);
});
