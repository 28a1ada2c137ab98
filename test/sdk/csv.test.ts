/** Lists as CSV files, which are streams of bytes. */
import { text } from 'node:stream/consumers';
import { ApiError, RateLimitError, TimeoutError } from '@tillhook/sdk';
import test from 'ava';
import { type Act, failure, serve } from './scripted-server.ts';

const csv = { 'content-type': 'text/csv; charset=utf-8; header=present' };
const file: Act = { status: 200, headers: csv, body: 'id,amount\r\npayment-1,5\r\n' };

test('csv() asks for the file with the filters of the list, and gives its bytes', async (t) => {
  const { seen, tillhook } = await serve(t, [file]);

  const stream = await tillhook.payments.list({ status: ['failed', 'expired'] }).csv();

  t.is(await text(stream), 'id,amount\r\npayment-1,5\r\n');
  t.deepEqual(
    seen.map(({ url, headers }) => [url, headers.accept]),
    [['/api/v1/payments?status=failed&status=expired', 'text/csv']],
  );
});

test('a file that begins after a failure that passes is asked for again', async (t) => {
  const { seen, tillhook } = await serve(t, [failure(503, 'api_error', 'service_unavailable'), file]);

  t.is(await text(await tillhook.transfers.list().csv()), 'id,amount\r\npayment-1,5\r\n');
  t.is(seen.length, 2);
});

test('a refusal throws the error of the service', async (t) => {
  const { tillhook } = await serve(t, [failure(429, 'rate_limit_error', 'rate_limited')], { maxRetries: 0 });

  await t.throwsAsync(tillhook.refunds.list().csv(), { instanceOf: RateLimitError });
});

test('an answer that is no CSV file is an error', async (t) => {
  const { tillhook } = await serve(t, [
    { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Hello</p>' },
  ]);

  await t.throwsAsync(tillhook.payments.list().csv(), { instanceOf: ApiError });
});

test('a file that breaks off makes the stream fail', async (t) => {
  const { tillhook } = await serve(t, [
    (res) => {
      res.writeHead(200, { ...csv, 'content-length': '1000' });
      res.write('id,amount\r\n', () => setTimeout(() => res.destroy(), 50));
    },
  ]);

  const stream = await tillhook.wallets.listEntries('transfer').csv();

  await t.throwsAsync(text(stream));
});

test('a file that does not begin in time is a TimeoutError', async (t) => {
  const { tillhook } = await serve(t, [() => {}], { timeoutMs: 50, maxRetries: 0 });

  await t.throwsAsync(tillhook.payments.list().csv(), { instanceOf: TimeoutError });
});
