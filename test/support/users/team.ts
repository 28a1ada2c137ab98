import { randomUUID } from 'node:crypto';
import type { OperationOutput } from '@tillhook/openapi';
import type { TestMerchant, TestServer } from '../server/tillhook.ts';
import { signIn } from './session.ts';

export const chosenPassword = 'kitchen radio april';

type Invited = OperationOutput<'inviteMember'> & { token: string };

/** An administrator of the merchant invites a person. */
export async function invite(
  server: TestServer,
  merchant: TestMerchant,
  { email = newEmail(), role = 'developer' }: { email?: string; role?: string } = {},
): Promise<Invited> {
  const { call } = await signIn(server, merchant);
  const response = await call('/api/v1/dashboard/team-invitations', { method: 'POST', json: { email, role } });
  if (response.status !== 201) throw new Error(await response.text());
  return withToken(await response.json());
}

export function withToken(invited: OperationOutput<'inviteMember'>): Invited {
  return { ...invited, token: new URL(invited.link).searchParams.get('token') ?? '' };
}

export const newEmail = () => `grace-${randomUUID()}@example.com`;
