import { createHash } from 'node:crypto';
import type { Context } from '../../context.ts';

export function linkOf({ publicUrl }: Context, token: string): string {
  return `${publicUrl}/dashboard/invitation?token=${token}`;
}

/** Only the hash is stored, so a copy of the database opens no invitation. */
export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
