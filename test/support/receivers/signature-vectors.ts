import { readFileSync } from 'node:fs';

/** What the server's signer and the SDK's verifier, written apart, and verifiers of other people must all agree with. */
interface Vector {
  title: string;
  secret: string;
  id: string;
  timestamp: number;
  body: string;
  expected: { 'X-Service-Signature': string; 'webhook-signature': string };
}

/** One that several secrets sign. */
interface Rotation extends Omit<Vector, 'secret'> {
  secrets: { own: string; others: string[] };
}

const file = new URL('../../unit/webhook-signature.vector.json', import.meta.url);
export const { vectors, rotations } = JSON.parse(readFileSync(file, 'utf8')) as {
  vectors: Vector[];
  rotations: Rotation[];
};
