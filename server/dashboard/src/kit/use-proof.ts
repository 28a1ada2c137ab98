import type { TillhookSession } from '@tillhook/sdk/session';
import { askForPasskey, type Proof } from '../app/browser-passkeys.ts';
import { useSession } from '../app/session.ts';

/** Returns a function that asks for a passkey in place of what was typed, if the user has no password to type. */
export function useProof(): (tillhook: TillhookSession, typed: { password: string; code?: string }) => Promise<Proof> {
  const { proof } = useSession().user;
  return async (tillhook, { password, code }) => {
    if (proof === 'passkey') return { passkey: await askForPasskey(() => tillhook.passkeys.beginProof()) };
    return { ...(proof !== 'company' && { password }), ...(code && { code }) };
  };
}
