// Compares the verifier of the SDK with the published test vectors: node vectors.ts vectors.json
import { readFileSync } from 'node:fs';
import { type SignatureHeaders, sign, verify } from '@tillhook/sdk/webhooks';

interface Vector {
  title: string;
  secret?: string;
  secrets?: { own: string; others: string[] };
  id: string;
  timestamp: number;
  body: string;
  expected: Pick<SignatureHeaders, 'X-Service-Signature' | 'webhook-signature'>;
}

const file = process.argv[2] ?? new URL('../vectors.json', import.meta.url);
const { vectors, rotations } = JSON.parse(readFileSync(file, 'utf8')) as Record<'vectors' | 'rotations', Vector[]>;
const foreign = 'whsec_Zm9yZWlnbmZvcmVpZ25mb3JlaWdu';

async function agrees(vector: Vector): Promise<boolean> {
  const { id, timestamp, body, expected } = vector;
  const { own, others } = vector.secrets ?? { own: vector.secret ?? '', others: [] };
  const service = { 'X-Service-Signature': expected['X-Service-Signature'] };
  const standard = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': expected['webhook-signature'],
  };
  // The SDK reads the clock, so vectors from the past need an infinite tolerance.
  const anyTime = { toleranceSeconds: Number.POSITIVE_INFINITY };
  const isOurs = (...webhook: Parameters<typeof verify>) =>
    verify(...webhook).then(
      () => true,
      () => false,
    );
  const signed = await Promise.all([own, ...others].map((secret) => sign(body, secret, { id, timestamp })));
  const accepted = await Promise.all([
    ...[own, ...others].map((secret) => isOurs(body, standard, secret, anyTime)),
    isOurs(body, standard, [foreign, own], anyTime),
    isOurs(body, service, own, { requireTimestamp: false }),
  ]);
  const refused = await Promise.all([
    isOurs(body, service, own),
    isOurs(body, standard, own),
    isOurs(body, standard, foreign, anyTime),
    isOurs(`${body} `, standard, own, anyTime),
    isOurs(`${body} `, service, own, { requireTimestamp: false }),
  ]);
  return (
    signed.map((headers) => headers['webhook-signature']).join(' ') === expected['webhook-signature'] &&
    signed[0]?.['X-Service-Signature'] === expected['X-Service-Signature'] &&
    accepted.every(Boolean) &&
    !refused.some(Boolean)
  );
}

const cases = [...vectors, ...rotations];
const results = await Promise.all(cases.map(agrees));
const wrong = cases.filter((_vector, index) => !results[index]).map(({ title }) => title);
if (wrong.length > 0 || cases.length === 0) throw new Error(`These vectors do not agree: ${wrong.join(', ')}`);
console.log(`${cases.length} vectors agree`);
