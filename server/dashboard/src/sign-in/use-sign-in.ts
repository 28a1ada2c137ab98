import { type Session, TillhookError } from '@tillhook/sdk/session';
import { useState } from 'react';
import { visitor } from '../app/api.ts';

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
  beginAgain: () => void;
}

export function useSignIn(onSession: (session: Session) => void | Promise<void>): SigningIn {
  const [needsCode, setNeedsCode] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const signIn = async ({ email, password, code }: Typed) => {
    setIsBusy(true);
    setError(null);
    try {
      await onSession(
        await visitor.session.signIn({ email: email.trim(), password, ...(needsCode && { code: code.trim() }) }),
      );
    } catch (failure) {
      if (codeOf(failure) === 'two_step_required') setNeedsCode(true);
      else setError(failure as Error);
    } finally {
      setIsBusy(false);
    }
  };
  const beginAgain = () => {
    setNeedsCode(false);
    setError(null);
  };
  return { needsCode, isBusy, error, errorSentence: errorSentences[codeOf(error) ?? ''] ?? null, signIn, beginAgain };
}

const errorSentences: Record<string, string> = {
  invalid_credentials: 'Email or password is wrong.',
  invalid_code: 'That code is wrong, or was used before. Wait for the next one.',
};

function codeOf(error: unknown): string | null {
  return error instanceof TillhookError ? error.code : null;
}
