import { readFileSync } from 'node:fs';

/** What the server's signer and the SDK's verifier, written apart, must both agree with. */
interface Vector {
  title: string;
  secret: string;
  id: string;
  timestamp: number;
  body: string;
  expected: { 'X-Service-Signature': string; 'webhook-signature': string };
}

const file = new URL('../unit/webhook-signature.vector.json', import.meta.url);
export const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: Vector[] };
