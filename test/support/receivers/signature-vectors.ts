import { readFileSync } from 'node:fs';

interface Vector {
  title: string;
  secret: string;
  id: string;
  timestamp: number;
  body: string;
  expected: { 'X-Service-Signature': string; 'webhook-signature': string };
}

/** The body of this test vector is signed with several secrets, as during a rotation. */
interface Rotation extends Omit<Vector, 'secret'> {
  secrets: { own: string; others: string[] };
}

const file = new URL('../../../docs/quick-start/vectors.json', import.meta.url);
export const { vectors, rotations } = JSON.parse(readFileSync(file, 'utf8')) as {
  vectors: Vector[];
  rotations: Rotation[];
};
