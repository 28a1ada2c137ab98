import { normaliseCode, timeStepOf, twoStepUri } from '@tillhook/server/src/people/sessions/two-step.ts';
import test from 'ava';

/** The key of RFC 6238, appendix B: the ASCII digits 12345678901234567890. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const vectors: [seconds: number, code: string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];
const at = (seconds: number) => new Date(seconds * 1000);

for (const [seconds, code] of vectors) {
  test(`${code} is the code of RFC 6238 at ${seconds} seconds, and is valid one time step before and after`, (t) => {
    const step = Math.floor(seconds / 30);

    t.is(timeStepOf(code, secret, at(seconds)), step);
    t.is(timeStepOf(code, secret, at(seconds - 30)), step);
    t.is(timeStepOf(code, secret, at(seconds + 30)), step);
    t.is(timeStepOf(code, secret, at(seconds - 60)), null);
    t.is(timeStepOf(code, secret, at(seconds + 60)), null);
  });
}

test('the text of the QR code names the service and the user', (t) => {
  const uri = new URL(twoStepUri(secret, 'ada+shop@example.com'));

  t.is(uri.href.split('?')[0], 'otpauth://totp/Tillhook:ada%2Bshop%40example.com');
  t.deepEqual(Object.fromEntries(uri.searchParams), {
    issuer: 'Tillhook',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});

test('spaces, hyphens and capitals in a code do not count', (t) => {
  t.is(normaliseCode(' 593 455 '), '593455');
  t.is(normaliseCode('K3V9-m2q7-X4T8-w5n6'), 'k3v9m2q7x4t8w5n6');
});
