/**
 * Computes codes by RFC 6238 without the library that the server uses. This file does not import ava, because
 * conformance runs also use this file.
 */
import { createHmac } from 'node:crypto';
import type { TestMerchant, TestServer } from '../server/tillhook.ts';

/** The server also accepts the codes of the previous and the next time step. */
export function codeOf(secret: string, { ahead = 0 } = {}): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  return Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)
      ?.map((byte) => Number.parseInt(byte, 2)) ?? [],
  );
}

export async function emailOf({ database }: TestServer, { id }: Pick<TestMerchant, 'id'>): Promise<string> {
  const latest = 'select email from dashboard_user where merchant_id = $1 order by id desc limit 1';
  const [row] = await database.query<{ email: string }>(latest, [id]);
  return row?.email ?? '';
}
