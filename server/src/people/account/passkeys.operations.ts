import { pageOf } from '../../kit/pagination.ts';
import { type Operation, read, SessionChange, write } from '../../operation/operation.ts';
import type { Passkey } from '../passkeys/passkey.entity.ts';
import { passkeyView } from '../passkeys/passkey.view.ts';
import { checkRegistration, type NewPasskey, requestOptions } from '../passkeys/passkeys.service.ts';
import { callerGuessLimits, type SecondStep, userIdOf } from '../sessions/codes.service.ts';
import { openSessionByPasskey } from '../sessions/dashboard-session.service.ts';
import { requirePasskey, requireProof } from '../sessions/require-proof.ts';
import { sessionView } from '../sessions/session.view.ts';
import * as ownPasskeys from './own-passkeys.service.ts';

export const beginPasskeySignIn: Operation<'beginPasskeySignIn'> = write(
  (context) => requestOptions(context, { name: 'sign-in', subject: null }),
  { hasNoCaller: true, limits: [{ policy: 'passkey_begin', by: ({ network }) => network }] },
);

export const signInWithPasskey: Operation<'signInWithPasskey'> = write(
  async (context, _input, passkey: Passkey) => {
    const { session, token } = await openSessionByPasskey(context, passkey);
    return new SessionChange(sessionView(session, session.user.merchant), token);
  },
  {
    hasNoCaller: true,
    before: (context, { body }) => requirePasskey(context, { name: 'sign-in', subject: null }, body),
    limits: [{ policy: 'sign_in', by: ({ network }) => network, ofGuesses: true }],
  },
);

export const listPasskeys: Operation<'listPasskeys'> = read(async (context, { query }) => {
  const { records, total } = await ownPasskeys.listOwnPasskeys(context, pageOf(query));
  return { passkeys: records.map(passkeyView), total };
});

export const beginPasskey: Operation<'beginPasskey'> = write(
  (context, _input, code: SecondStep) => ownPasskeys.beginPasskey(context, code),
  { before: (context, { body }) => requireProof(context, body), limits: callerGuessLimits },
);

export const addPasskey: Operation<'addPasskey'> = write(
  async (context, _input, passkey: NewPasskey) => passkeyView(await ownPasskeys.addPasskey(context, passkey)),
  {
    before: (context, { body }) => checkRegistration(context, { name: 'add', userId: userIdOf(context) }, body),
    audited: ({ id }) => ({ subject: id, mode: null }),
  },
);

export const renamePasskey: Operation<'renamePasskey'> = write(
  async (context, { path, body }) => passkeyView(await ownPasskeys.renamePasskey(context, { ...path, ...body })),
  { audited: ({ id }) => ({ subject: id, mode: null }) },
);

export const removePasskey: Operation<'removePasskey'> = write(
  async (context, { path }) => passkeyView(await ownPasskeys.removePasskey(context, path.id)),
  { audited: ({ id }) => ({ subject: id, mode: null }) },
);

export const beginPasskeyProof: Operation<'beginPasskeyProof'> = write((context) =>
  requestOptions(context, { name: 'proof', subject: userIdOf(context) }),
);
