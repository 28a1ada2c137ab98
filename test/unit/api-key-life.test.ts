import { overlapMsOf } from '@tillhook/server/src/cli/keys.ts';
import { AppError } from '@tillhook/server/src/kit/errors.ts';
import type { Scope } from '@tillhook/server/src/kit/permissions.ts';
import { requireScope } from '@tillhook/server/src/people/auth.service.ts';
import { ApiKey } from '@tillhook/server/src/people/keys/api-key.entity.ts';
import test from 'ava';

const now = new Date('2026-01-15T12:00:00.000Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const keyThat = (fields: Partial<ApiKey>) => Object.assign(new ApiKey(), fields);

test('an API key without an expiry never expires, and a key with an expiry expires at that time', (t) => {
  t.false(keyThat({ expiresAt: null }).isExpired(now));
  t.false(keyThat({ expiresAt: later(1) }).isExpired(now));
  t.true(keyThat({ expiresAt: now }).isExpired(now));
});

test('the expiry of a key can be moved earlier but not later', (t) => {
  const apiKey = keyThat({ expiresAt: null });

  apiKey.expireAt(later(1000));
  apiKey.expireAt(later(2000));
  t.deepEqual(apiKey.expiresAt, later(1000));

  apiKey.expireAt(later(500));
  t.deepEqual(apiKey.expiresAt, later(500));
});

test('a key that is revoked twice keeps the time of the first revocation', (t) => {
  const apiKey = keyThat({ revokedAt: null });

  apiKey.revoke(now);
  apiKey.revoke(later(1000));

  t.deepEqual(apiKey.revokedAt, now);
});

test('a roll accepts an overlap of zero, an hour, a day or a week', (t) => {
  t.deepEqual(
    ['0', '1h', '24h', '7d'].map(overlapMsOf as (overlap: string) => number),
    [0, 3_600_000, 86_400_000, 604_800_000],
  );
});

test('a key without scopes may do everything, and the error for a missing scope names the scope', (t) => {
  const caller = (scopes: Scope[] | null) => ({
    merchantId: 'm',
    mode: 'test' as const,
    currency: 'NGN',
    scopes,
    actor: { type: 'key' as const, apiKeyId: 'k' },
  });

  t.notThrows(() => requireScope(caller(null), 'transfers:write'));
  t.notThrows(() => requireScope(caller(['transfers:write']), 'transfers:write'));
  const error = t.throws(() => requireScope(caller(['transfers:read']), 'transfers:write'), { instanceOf: AppError });
  t.is(error?.code, 'insufficient_scope');
  t.regex(error?.message ?? '', /transfers:write/);
});
