import { type Session, TillhookError } from '@tillhook/sdk/session';
import { useState } from 'react';
import { visitor } from '../app/api.ts';
import { askForPasskey, type PasskeyAnswer, PasskeyError } from '../app/browser-passkeys.ts';

interface Typed {
  email: string;
  password: string;
  code: string;
}

export interface SigningIn {
  needsCode: boolean;
  isBusy: boolean;
  error: Error | null;
  errorSentence: string | null;
  signIn: (typed: Typed) => Promise<void>;
  /** Without an answer, asks the user for a passkey. */
  signInWithPasskey: (answer?: PasskeyAnswer) => Promise<void>;
  beginAgain: () => void;
}

export function useSignIn(onSession: (session: Session) => void | Promise<void>): SigningIn {
  const [needsCode, setNeedsCode] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const [isByPasskey, setIsByPasskey] = useState(false);
  const beginSession = async (begin: () => PromiseLike<Session>, byPasskey: boolean) => {
    setIsBusy(true);
    setIsByPasskey(byPasskey);
    setError(null);
    try {
      await onSession(await begin());
    } catch (failure) {
      if (codeOf(failure) === 'two_step_required') setNeedsCode(true);
      else setError(failure as Error);
    } finally {
      setIsBusy(false);
    }
  };
  const signIn = ({ email, password, code }: Typed) => {
    const typed = { email: email.trim(), password, ...(needsCode && { code: code.trim() }) };
    return beginSession(() => visitor.session.signIn(typed), false);
  };
  const signInWithPasskey = (answer?: PasskeyAnswer) =>
    beginSession(
      async () => visitor.passkeys.signIn(answer ?? (await askForPasskey(() => visitor.passkeys.beginSignIn()))),
      true,
    );
  const beginAgain = () => {
    setNeedsCode(false);
    setError(null);
  };
  const errorSentence = isByPasskey ? passkeySentence(error) : (errorSentences[codeOf(error) ?? ''] ?? null);
  return { needsCode, isBusy, error, errorSentence, signIn, signInWithPasskey, beginAgain };
}

const errorSentences: Record<string, string> = {
  invalid_credentials: 'Email or password is wrong.',
  invalid_code: 'This code is wrong or was already used. Wait for the next one.',
  passkey_required: 'Your merchant requires two-step sign-in. Sign in with your passkey.',
};

/** The service says whether the passkey is unknown here, or may have been copied. */
function passkeySentence(error: Error | null): string | null {
  if (error instanceof PasskeyError) return error.message;
  if (codeOf(error) === 'passkey_not_begun') return 'That took too long. Try again.';
  return codeOf(error) === 'invalid_credentials' ? `${error?.message}.` : null;
}

function codeOf(error: unknown): string | null {
  return error instanceof TillhookError ? error.code : null;
}
