import { readTraceparent, writeTraceparent } from '@tillhook/server/src/telemetry/tracing/recording-tracer.ts';
import test from 'ava';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

const read: [header: string, isSampled: boolean][] = [
  [`00-${traceId}-${spanId}-01`, true],
  [`00-${traceId}-${spanId}-00`, false],
  [`00-${traceId}-${spanId}-03`, true],
  [`00-${traceId}-${spanId}-fe`, false],
  // A later version of the header may have more parts. The server reads the first four parts.
  [`01-${traceId}-${spanId}-01`, true],
  [`01-${traceId}-${spanId}-01-more`, true],
];

for (const [header, isSampled] of read) {
  test(`${header} is read as a trace that is ${isSampled ? '' : 'not '}sampled`, (t) => {
    t.deepEqual(readTraceparent(header), { traceId, spanId, isSampled });
  });
}

const malformed = [
  '',
  'nonsense',
  `00-${traceId}-${spanId}`,
  `00-${traceId}-${spanId}-1`,
  `00-${traceId}-${spanId}-01-`,
  `00-${traceId}-${spanId}-01-more`,
  `01-${traceId}-${spanId}-01more`,
  `ff-${traceId}-${spanId}-01`,
  `0-${traceId}-${spanId}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.slice(1)}-${spanId}-01`,
  `00-${traceId}-${spanId}0-01`,
  `00-${traceId}-${spanId}-0g`,
  ` 00-${traceId}-${spanId}-01`,
  // Node joins two headers with the same name.
  `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
];

for (const header of malformed) {
  test(`the traceparent "${header}" is malformed`, (t) => {
    t.is(readTraceparent(header), undefined);
  });
}

test('a missing traceparent gives no trace context', (t) => {
  t.is(readTraceparent(undefined), undefined);
});

test('a trace context is written with the flag sampled', (t) => {
  t.is(writeTraceparent({ traceId, spanId }), `00-${traceId}-${spanId}-01`);
});
