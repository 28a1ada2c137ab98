import { isMoment } from '@tillhook/openapi/rules/fields';
import test from 'ava';

const moments = [
  '2026-11-21T10:15:00Z',
  '2026-11-21t10:15:00.123456789z',
  '2024-02-29T23:59:59+05:30',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
];
const others = [
  '',
  '2026-11-21',
  '2026-11-21T10:15:00',
  '2026-11-21 10:15:00Z',
  '2026-19-01T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '2026-11-21T24:00:00Z',
  '2026-11-21T10:60:00Z',
  '2016-12-31T23:59:60Z',
  '2026-11-21T10:15:00+0100',
  '2026-11-21T10:15:00+99:00',
  '0000-12-31T00:00:00Z',
  '0001-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
  '+010000-01-01T00:00:00Z',
];

test('a field for a time accepts the times that Date and Postgres can represent, and no other times', (t) => {
  for (const text of moments) t.true(isMoment(text), text);
  for (const text of others) t.false(isMoment(text), text);
});
