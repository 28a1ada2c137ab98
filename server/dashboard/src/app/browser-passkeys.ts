/** The only file that asks the browser for passkeys. The script for it is loaded when a passkey is needed. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { TillhookSession } from '@tillhook/sdk/session';
import { loadScript } from './load-script.tsx';
import { signInWays } from './sign-in-ways.ts';

type Passkeys = TillhookSession['passkeys'];
type RequestOptions = Awaited<ReturnType<Passkeys['beginProof']>>;
type CreationOptions = Awaited<ReturnType<Passkeys['begin']>>;
type NewPasskey = Parameters<Passkeys['add']>[0];

/** What calls take in place of the password and the code. */
export type PasskeyAnswer = Parameters<Passkeys['signIn']>[0];
export type Proof = Parameters<Passkeys['begin']>[0];

/** Says in words for the user why the browser gave no passkey. */
export class PasskeyError extends Error {}

const library = () => loadScript(() => import('@simplewebauthn/browser'));

export const canUsePasskeys = typeof PublicKeyCredential === 'function';

/** The browser and the address of the service have to be fit for passkeys. */
export const offersPasskeys = signInWays.passkey && canUsePasskeys;

/** Whether the browser waits for the user to choose a passkey in the field for the email. */
let isWaitingInField = false;

/** Asks the user for a passkey in a window of the browser. */
export async function askForPasskey(begin: () => PromiseLike<RequestOptions>): Promise<PasskeyAnswer> {
  isWaitingInField = false;
  const { startAuthentication } = await library();
  const optionsJSON = (await begin()) as PublicKeyCredentialRequestOptionsJSON;
  return answerOf(await inWords(() => startAuthentication({ optionsJSON })));
}

/** Returns null if the browser offers no passkeys in the field, or the user signs in another way. */
export async function passkeyFromField(
  begin: () => PromiseLike<RequestOptions>,
  isWanted: () => boolean,
): Promise<PasskeyAnswer | null> {
  try {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return null;
    const { startAuthentication } = await library();
    const optionsJSON = (await begin()) as PublicKeyCredentialRequestOptionsJSON;
    if (!isWanted()) return null;
    isWaitingInField = true;
    return answerOf(await startAuthentication({ optionsJSON, useBrowserAutofill: true }));
  } catch {
    // The user can still type the password or press the button, which shows what is wrong.
    return null;
  }
}

/** Does not end the window in which the browser asks for a passkey. */
export async function stopWaitingInField(): Promise<void> {
  if (!isWaitingInField) return;
  isWaitingInField = false;
  (await library()).WebAuthnAbortService.cancelCeremony();
}

export async function createPasskey(begin: () => PromiseLike<CreationOptions>): Promise<NewPasskey> {
  const { startRegistration } = await library();
  const optionsJSON = (await begin()) as PublicKeyCredentialCreationOptionsJSON;
  const { id, response } = await inWords(() => startRegistration({ optionsJSON }));
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { credentialId: id, clientDataJSON, attestationObject, transports };
}

interface BrowserAnswer {
  id: string;
  response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string | undefined };
}

function answerOf({
  id,
  response: { clientDataJSON, authenticatorData, signature, userHandle },
}: BrowserAnswer): PasskeyAnswer {
  return { credentialId: id, clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) };
}

async function inWords<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    const { code = '', name } = error as Error & { code?: string };
    throw new PasskeyError(problems[code] ?? problems[name] ?? 'Your browser could not use a passkey.', {
      cause: error,
    });
  }
}

const wrongAddress =
  'Passkeys do not work at this address. Open the dashboard at the address that the operator of this service gave you.';

const problems: Record<string, string> = {
  NotAllowedError: 'No passkey was used. Try again, or sign in another way.',
  ERROR_INVALID_DOMAIN: wrongAddress,
  ERROR_INVALID_RP_ID: wrongAddress,
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'You already have a passkey on this device.',
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT:
    'This device cannot ask for a fingerprint, face or PIN, which a passkey needs here.',
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT:
    'This device cannot save a passkey that works without your email.',
};
