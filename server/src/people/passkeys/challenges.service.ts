// See docs/decisions/auth.md, "A challenge of a passkey is a row".
import { randomBytes } from 'node:crypto';
import type { Context, WriteContext } from '../../context.ts';
import { rowsOutsideTransaction, run } from '../../platform/database/statement.ts';

export const challengeLifeMs = 5 * 60_000;

/**
 * What a challenge is for. The subject is the id of the user who is signed in, or of the invitation, which becomes the id of
 * its user.
 */
export interface Ceremony {
  name: 'sign-in' | 'add' | 'proof' | 'invitation';
  subject: string | null;
}

/** Also removes the challenges whose time is over, because most challenges of the sign-in page are never answered. */
export async function createChallenge(tx: WriteContext, { name, subject }: Ceremony): Promise<string> {
  const now = tx.clock.now();
  const challenge = randomBytes(32).toString('base64url');
  await run(tx)`delete from passkey_challenge where expires_at <= ${now}`;
  await run(tx)`
    insert into passkey_challenge (challenge, ceremony, subject, expires_at)
    values (${challenge}, ${name}, ${subject}, ${new Date(now.getTime() + challengeLifeMs)})`;
  return challenge;
}

/**
 * Removes the challenge before the answer to it is checked, so that a wrong answer cannot be corrected. Returns null for
 * an unknown challenge, and for one that is too old.
 */
export async function takeChallenge(
  context: Context,
  { name, subject }: Ceremony,
  clientDataJSON: string,
): Promise<string | null> {
  const challenge = challengeIn(clientDataJSON);
  const [taken] = await rowsOutsideTransaction<{ isInTime: boolean }>(context)`
    delete from passkey_challenge
    where challenge = ${challenge} and ceremony = ${name} and subject is not distinct from ${subject}
    returning expires_at > ${context.clock.now()} as "isInTime"`;
  return taken?.isInTime ? challenge : null;
}

function challengeIn(clientDataJSON: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    return typeof challenge === 'string' ? challenge.replaceAll('\0', '') : '';
  } catch {
    return '';
  }
}
