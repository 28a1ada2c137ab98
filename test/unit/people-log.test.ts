import { createLogger, deliveryAttempted, type Logger, requestEnded } from '@tillhook/server/src/kit/logger.ts';
import { peopleLog } from '@tillhook/server/src/kit/people-log.ts';
import type { ColourVariables } from '@tillhook/server/src/kit/terminal.ts';
import test from 'ava';
import { collectingStream } from '../support/collecting-stream.ts';

function printedBy(
  write: (log: Logger) => void,
  { isTTY = false, ...variables }: { isTTY?: boolean } & ColourVariables = {},
): string {
  const { stream, take } = collectingStream({ isTTY });
  write(createLogger('info', peopleLog(stream, variables)));
  return take().replaceAll(/^\[?\d\d:\d\d:\d\d\]? /gm, '');
}

const request = { method: 'GET', path: '/docs', status: 200, durationMs: 12, isAborted: false };
const delivery = {
  deliveryId: 'd',
  event: 'checkout.success',
  host: 'shop.example.com',
  attempt: 1,
  statusCode: 204,
  error: null,
  durationMs: 34,
  next: 'delivered',
};

const requests: [what: string, entry: object, line: string][] = [
  ['its method, status, path and time', {}, 'GET    200  /docs 12 ms\n'],
  [
    'that the client left',
    { method: 'POST', isAborted: true },
    'POST   gone /docs 12 ms, the client left before the end of the answer\n',
  ],
  ['nothing when the request is a probe', { path: '/readyz', status: 503 }, ''],
  ['nothing when the request reads the metrics', { path: '/metrics' }, ''],
  ['nothing when the request loads a file of a page', { path: '/checkout/assets/base.css' }, ''],
  [
    'that a file of a page is missing',
    { path: '/docs/assets/x.css', status: 404 },
    'GET    404  /docs/assets/x.css 12 ms\n',
  ],
];

for (const [what, entry, line] of requests) {
  test(`the line of a request shows ${what}`, (t) => {
    t.is(
      printedBy((log) => log.info({ ...request, ...entry }, requestEnded)),
      line,
    );
  });
}

const deliveries: [what: string, entry: object, line: string][] = [
  [
    'that the receiver accepted the delivery',
    {},
    '✓ checkout.success → shop.example.com: answered 204 34 ms, attempt 1\n',
  ],
  [
    'the status, and when the next attempt is',
    { statusCode: 500, next: 'retry', retryInMs: 900_000 },
    '✗ checkout.success → shop.example.com: answered 500 34 ms, attempt 1, next try in 15 min\n',
  ],
  [
    'the reason in words, and that no attempt follows',
    { statusCode: null, error: 'connection_refused', attempt: 4, next: 'give-up' },
    '✗ checkout.success → shop.example.com: nothing listens at this address 34 ms, attempt 4, no more tries\n',
  ],
  [
    'which failure of TLS occurred',
    { statusCode: null, error: 'tls_failed', errorCause: 'CERT_HAS_EXPIRED', next: 'give-up' },
    '✗ checkout.success → shop.example.com: the certificate or TLS is wrong (CERT_HAS_EXPIRED) 34 ms, attempt 1, no more tries\n',
  ],
  [
    'that the address is wrong, in place of a host',
    { host: undefined, statusCode: null, error: 'address_refused', next: 'give-up' },
    '✗ checkout.success → an invalid address: the address is not allowed 34 ms, attempt 1, no more tries\n',
  ],
  [
    'that the endpoint was disabled',
    { statusCode: 410, next: 'disable' },
    '✗ checkout.success → shop.example.com: answered 410 34 ms, attempt 1, no more tries, and the endpoint is now inactive\n',
  ],
];

for (const [what, entry, line] of deliveries) {
  test(`the line of a delivery shows ${what}`, (t) => {
    t.is(
      printedBy((log) => log.info({ ...delivery, ...entry }, deliveryAttempted)),
      line,
    );
  });
}

test('an error has its level, its message, its fields and the stack', (t) => {
  const text = printedBy((log) => log.error({ endpoint: 'e1', err: new Error('It broke') }, 'Something failed'));

  t.regex(text, /^ERROR: Something failed\n {4}endpoint: "e1"\n {4}err: \{\n[\s\S]+"message":[\s\S]+It broke/);
  t.regex(text, /at .+people-log\.test\.ts/);
});

test('below the level error, an entry is one line, with its fields and without a stack', (t) => {
  const empty = new AggregateError([new Error('One of several')], '');

  const text = printedBy((log) => {
    log.warn({ endpoint: 'e1', err: new Error('It\nbroke') }, 'Something failed');
    log.warn({ err: empty }, 'Nothing answers');
    log.info({ awaited: ['database', 'schedule'] }, 'The server is not ready yet');
    log.warn({ err: 'a text' }, 'Not an Error');
    log.info('No fields');
  });

  t.deepEqual(text.trimEnd().split('\n'), [
    'WARN: Something failed {"endpoint":"e1","err":"It�broke"}',
    'WARN: Nothing answers {"err":"AggregateError"}',
    'INFO: The server is not ready yet {"awaited":["database","schedule"]}',
    'WARN: Not an Error {"err":"a text"}',
    'INFO: No fields',
  ]);
});

test('control characters in values from outside do not reach the terminal', (t) => {
  const nasty = 'a\u001b[2J\u009b1m\r\nb\u202e\u0007';

  const text = printedBy((log) => {
    log.info({ ...request, path: nasty }, requestEnded);
    log.info({ ...delivery, host: nasty }, deliveryAttempted);
    log.error({ field: nasty, err: new Error(nasty) }, nasty);
  });

  t.notRegex(text, /[^\P{Cc}\n]|\p{Bidi_Control}/u);
  t.regex(text, /^GET {4}200 {2}a�\[2J�1m��b�� 12 ms$/m);
});

test('the log for people redacts the same fields as the JSON log', (t) => {
  const text = printedBy((log) => log.warn({ endpoint: { secret: 'whsec_hidden' } }, 'A secret was logged'));

  t.notRegex(text, /hidden/);
  t.regex(text, /\[redacted\]/);
});

test('a terminal gets colours, and any other stream gets none', (t) => {
  const write = (log: Logger) => log.info(request, requestEnded);

  t.regex(printedBy(write, { isTTY: true }), /\p{Cc}\[32m200/u);
  t.notRegex(printedBy(write, { isTTY: true, NO_COLOR: '1' }), /\[32m/);
  t.regex(printedBy(write, { FORCE_COLOR: '1' }), /\p{Cc}\[32m200/u);
  t.notRegex(printedBy(write), /\[32m/);
});
