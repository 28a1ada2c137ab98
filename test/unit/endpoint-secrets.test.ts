import { sealedSecretsAt, WebhookEndpoint } from '@tillhook/server/src/webhooks/endpoints/endpoint.entity.ts';
import test from 'ava';

const hour = 3_600_000;
const now = new Date('2026-11-21T10:00:00.000Z');
const later = (hours: number) => new Date(now.getTime() + hours * hour);

const endpoint = () =>
  Object.assign(new WebhookEndpoint(), { sealedSecret: 'old', secretLast4: 'OLD4', secretRotation: null });

test('an endpoint without a rotation has one secret', (t) => {
  t.deepEqual(sealedSecretsAt(endpoint(), now), { own: 'old', others: [] });
});

test('a staged secret also signs, then becomes current, and the old secret signs for one more day', (t) => {
  const rotating = endpoint();

  rotating.stageSecret({ sealed: 'next', last4: 'NEXT' }, later(1));

  t.deepEqual(sealedSecretsAt(rotating, now), { own: 'old', others: ['next'] });
  t.deepEqual(sealedSecretsAt(rotating, new Date(later(1).getTime() - 1)), { own: 'old', others: ['next'] });
  t.deepEqual(sealedSecretsAt(rotating, later(1)), { own: 'next', others: ['old'] });
  t.deepEqual(sealedSecretsAt(rotating, new Date(later(25).getTime() - 1)), { own: 'next', others: ['old'] });
  t.deepEqual(sealedSecretsAt(rotating, later(25)), { own: 'next', others: [] });
});

test('completing a rotation late does not change the secrets that are in effect', (t) => {
  for (const hours of [0, 1, 24, 25, 1000]) {
    const rotating = endpoint();
    rotating.stageSecret({ sealed: 'next', last4: 'NEXT' }, later(1));
    const decided = sealedSecretsAt(rotating, later(hours));

    rotating.completeRotation(later(hours));

    t.deepEqual(sealedSecretsAt(rotating, later(hours)), decided);
    t.is(rotating.secretLast4, decided.own === 'next' ? 'NEXT' : 'OLD4');
  }
});

test('completing a rotation makes the staged secret current immediately, and the old secret signs for one more day', (t) => {
  const rotating = endpoint();
  rotating.stageSecret({ sealed: 'next', last4: 'NEXT' }, later(100));

  rotating.switchSecret(now);

  t.deepEqual(sealedSecretsAt(rotating, later(23)), { own: 'next', others: ['old'] });
  t.deepEqual(sealedSecretsAt(rotating, later(24)), { own: 'next', others: [] });
});

test('revoking the old secret keeps the staged secret', (t) => {
  const rotating = endpoint();
  rotating.stageSecret({ sealed: 'next', last4: 'NEXT' }, now);
  rotating.completeRotation(now);
  rotating.stageSecret({ sealed: 'third', last4: 'THRD' }, later(1));

  rotating.revokeOldSecret();

  t.deepEqual(sealedSecretsAt(rotating, now), { own: 'next', others: ['third'] });
});
