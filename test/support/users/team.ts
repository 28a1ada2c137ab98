import { randomUUID } from 'node:crypto';
import type { OperationOutput } from '@tillhook/openapi';
import { testSealer } from '../database/sealer.ts';
import type { JsonResponse, TestMerchant, TestServer } from '../server/tillhook.ts';
import { type SignedIn, signIn } from './session.ts';

export const chosenPassword = 'kitchen radio april';

type Invited = OperationOutput<'inviteMember'> & { link: string; token: string };

/** An administrator of the merchant invites a person. */
export async function invite(
  server: TestServer,
  merchant: TestMerchant,
  { email = newEmail(), role = 'developer' }: { email?: string; role?: string } = {},
): Promise<Invited> {
  const { call } = await signIn(server, merchant);
  const response = await call('/api/v1/dashboard/team-invitations', { method: 'POST', json: { email, role } });
  if (response.status !== 201) throw new Error(await response.text());
  return withToken(server, await response.json());
}

/** Where the service sends mails, only the mail of the invitation has its link. */
export async function withToken(server: TestServer, invited: OperationOutput<'inviteMember'>): Promise<Invited> {
  const link = invited.link ?? `${server.url}/dashboard/invitation?token=${await mailedToken(server, invited.email)}`;
  return { ...invited, link, token: new URL(link).searchParams.get('token') ?? '' };
}

async function mailedToken({ database }: TestServer, email: string): Promise<string> {
  const [mail] = await database.query<{ id: string; sealed_values: string }>(
    "select id, sealed_values from mail where kind = 'invitation' and lower(recipient) = lower($1) order by id desc limit 1",
    [email],
  );
  if (!mail) throw new Error(`There is no mail of an invitation to ${email}.`);
  return JSON.parse(testSealer().open(mail.sealed_values, mail.id)).token;
}

export async function teamOf({ call }: SignedIn) {
  return (await call('/api/v1/dashboard/team')).json();
}

export function postInvitation(
  server: TestServer,
  name: 'read' | 'accept' | 'passkey',
  json: object,
): Promise<JsonResponse> {
  return server.request(`/api/v1/dashboard/invitations/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
}

export function acceptInvitation(server: TestServer, token: string): Promise<JsonResponse> {
  return postInvitation(server, 'accept', { token, name: 'Grace Eze', password: chosenPassword });
}

export const newEmail = () => `grace-${randomUUID()}@example.com`;
