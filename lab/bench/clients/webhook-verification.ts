import { generateSecret } from '@tillhook/sdk';
import { sign, unwrap } from '@tillhook/sdk/webhooks';
import type { Bench } from '../bench.ts';
import { figureOf, type Measured, type Round } from '../contest.ts';
import { inTurns } from '../in-turns.ts';

const about = `One webhook after another, unwrapped: signature, timestamp, headers in any shape, secrets in rotation, and the event.
  Beside it WebCrypto alone: one signature verified over id, timestamp and body, the body parsed, and nothing else looked at.`;

const body = Buffer.from(
  JSON.stringify({
    event: 'checkout.success',
    data: {
      reference: 'ref_k3v9m2q7x4t8w5n6b1zd',
      amount: 500_000,
      currency: 'NGN',
      status: 'completed',
      customerEmail: 'ada@example.com',
    },
    timestamp: '2026-11-21T10:15:30.000Z',
    webhookId: '019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60',
  }),
);

export async function measureWebhookVerification(bench: Bench, total: number): Promise<Measured[]> {
  const secret = generateSecret();
  const headers = await headersAsNodeHasThem(secret);
  const importKey = () => importKeyOf(secret);
  const key = importKey();
  const baselines = [
    { keys: 'imports its key each time', getKey: importKey, target: { of: 'ratio', atLeast: 0.9 } as const },
    // Few programs cache the imported key, so the comparison with this baseline has no target.
    { keys: 'imported its key once', getKey: () => key, target: undefined },
  ];
  const figures: Measured[] = [];
  for (const { keys, getKey, target } of baselines) {
    const bare = bareVerifier(headers, getKey);
    const rounds: Round[] = [];
    for (let round = 0; round <= bench.rounds; round++) {
      const seconds = await inTurns(total, { tillhook: () => unwrap(body, headers, secret), baseline: bare });
      // The first round is a warm-up.
      if (round > 0) rounds.push({ tillhook: total / seconds.tillhook, baseline: total / seconds.baseline });
    }
    const name = `webhooks verified by the SDK, beside WebCrypto that ${keys}`;
    figures.push(figureOf({ name, about, unit: '/s', against: 'WebCrypto', target }, rounds));
  }
  return figures;
}

async function headersAsNodeHasThem(secret: string): Promise<Record<string, string>> {
  const signatures = Object.entries(await sign(body, secret));
  return {
    host: 'shop.example.com',
    'content-type': 'application/json',
    'content-length': String(body.length),
    'user-agent': 'Tillhook',
    'x-service-event': 'checkout.success',
    'x-service-attempt': '1',
    ...Object.fromEntries(signatures.map(([name, value]) => [name.toLowerCase(), value])),
  };
}

type Key = Parameters<typeof crypto.subtle.verify>[1];

function importKeyOf(secret: string): Promise<Key> {
  const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function bareVerifier(headers: Record<string, string>, getKey: () => Promise<Key>): () => Promise<unknown> {
  const head = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`;
  const signature = String(headers['webhook-signature']).slice('v1,'.length);
  return async () => {
    const message = Buffer.concat([Buffer.from(head), body]);
    const isOurs = await crypto.subtle.verify('HMAC', await getKey(), Buffer.from(signature, 'base64'), message);
    if (!isOurs) throw new Error('WebCrypto rejected the signature of the benchmark.');
    return JSON.parse(body.toString());
  };
}
