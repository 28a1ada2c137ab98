import type { JsonResponse, TestServer } from '../server/tillhook.ts';
import { type Authenticator, createAuthenticator } from './authenticator.ts';
import { type SignedIn, signIn } from './session.ts';

const dashboard = '/api/v1/dashboard';

type Added = SignedIn & { authenticator: Authenticator; passkeyId: string };

export const newAuthenticator = (server: TestServer, made: { aaguid?: string; counts?: boolean } = {}): Authenticator =>
  createAuthenticator({ origin: new URL(server.url).origin, ...made });

export const begin = ({ call, password }: SignedIn, json: object = { password }): Promise<JsonResponse> =>
  call(`${dashboard}/passkey-registration`, { method: 'POST', json });

export const add = ({ call }: SignedIn, json: object): Promise<JsonResponse> =>
  call(`${dashboard}/passkeys`, { method: 'POST', json });

export async function addPasskey(person: SignedIn, authenticator = newAuthenticator(person.server)): Promise<Added> {
  const options = await (await begin(person)).json();
  const { id: passkeyId } = await (await add(person, authenticator.register(options))).json();
  return { ...person, authenticator, passkeyId };
}

export const signInWithPasskey = async (server: TestServer): Promise<Added> => addPasskey(await signIn(server));

export async function beginSignIn(server: TestServer) {
  return (await server.request(`${dashboard}/passkey-sign-in/begin`, { method: 'POST' })).json();
}

export function postAssertion(server: TestServer, json: object): Promise<JsonResponse> {
  return server.request(`${dashboard}/passkey-sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
}

export async function beginProof({ call }: SignedIn) {
  return (await call(`${dashboard}/passkey-proof`, { method: 'POST' })).json();
}

/** The user can then sign in with passkeys alone. */
export async function removePassword({ server, email }: SignedIn): Promise<void> {
  await server.database.query('update dashboard_user set password_hash = null where email = $1', [email]);
}
