import { createLogger, type Logger } from '@tillhook/server/src/kit/logger.ts';
import test from 'ava';

function entriesOf(write: (log: Logger) => void): Record<string, unknown>[] {
  const entries: Record<string, unknown>[] = [];
  write(
    createLogger('info', {
      write(line: string) {
        const { level: _level, time: _time, pid: _pid, hostname: _hostname, ...rest } = JSON.parse(line);
        entries.push(rest);
      },
    }),
  );
  return entries;
}

test('a secret inside an object is not logged', (t) => {
  const body = { secret: 'whsec_1', cardNumber: '4242', name: 'Ada' };
  const [entry] = entriesOf((log) => log.info({ body, headers: { authorization: 'Bearer x', accept: '*/*' } }, 'Told'));
  t.deepEqual(entry, {
    body: { secret: '[redacted]', cardNumber: '[redacted]', name: 'Ada' },
    headers: { authorization: '[redacted]', accept: '*/*' },
    msg: 'Told',
  });
  t.is(body.secret, 'whsec_1', 'the logged object itself is unchanged');
});

test('a secret in a property of an error is not logged, and the rest of the error is logged', (t) => {
  const error = Object.assign(new Error('Refused'), { apiKey: 'sk_test_1', code: 'E1' });
  const [{ err } = {}] = entriesOf((log) => log.error({ err: error }, 'Failed'));
  const { stack, ...rest } = err as Record<string, unknown>;
  t.deepEqual(rest, { type: 'Error', message: 'Refused', apiKey: '[redacted]', code: 'E1' });
  t.regex(String(stack), /logger\.test/);
  t.is(error.apiKey, 'sk_test_1');
});

test('an error that is logged alone is logged like a field', (t) => {
  const [entry] = entriesOf((log) => log.error(Object.assign(new Error('Refused'), { password: 'x' })));
  t.like(entry, { err: { message: 'Refused', password: '[redacted]' }, msg: 'Refused' });
});

test('a line without objects is logged unchanged', (t) => {
  const fields = { text: 'a', count: 1, isTrue: true, none: null };
  const [entry] = entriesOf((log) => log.info({ ...fields, left: undefined }, 'Told'));
  t.deepEqual(entry, { ...fields, msg: 'Told' });
});
