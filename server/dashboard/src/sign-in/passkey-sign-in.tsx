import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { visitor } from '../app/api.ts';
import { offersPasskeys, passkeyFromField, stopWaitingInField } from '../app/browser-passkeys.ts';
import { signInWays } from '../app/sign-in-ways.ts';
import type { SigningIn } from './use-sign-in.ts';

/** A challenge works for five minutes, so the page begins again before. */
const renewMs = 4 * 60_000;

/** Browsers then offer passkeys in the field. */
export const emailAutoComplete = offersPasskeys ? 'username webauthn' : 'username';

interface PasskeyButtonProps extends Pick<SigningIn, 'isBusy' | 'signInWithPasskey'> {
  /** Whether the browser also offers passkeys in the field for the email. */
  hasEmailField?: boolean;
}

export function PasskeyButton({ isBusy, signInWithPasskey, hasEmailField = false }: PasskeyButtonProps): ReactNode {
  usePasskeysInField(offersPasskeys && hasEmailField && !isBusy, signInWithPasskey);
  if (!offersPasskeys) return null;
  return (
    <Button
      variant={signInWays.password ? 'default' : 'filled'}
      disabled={isBusy}
      onClick={() => void signInWithPasskey()}
    >
      Sign in with a passkey
    </Button>
  );
}

function usePasskeysInField(isActive: boolean, signInWithPasskey: SigningIn['signInWithPasskey']): void {
  const latest = useRef(signInWithPasskey);
  latest.current = signInWithPasskey;
  useEffect(() => {
    if (!isActive) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    const offer = async () => {
      clearTimeout(timer);
      timer = setTimeout(renew, renewMs);
      const answer = await passkeyFromField(
        () => visitor.passkeys.beginSignIn(),
        () => !isOver,
      );
      if (answer && !isOver) await latest.current(answer);
    };
    // A page in the background begins again when the user comes back to it.
    const renew = () => {
      if (document.hidden) document.addEventListener('visibilitychange', renew, { once: true });
      else void offer();
    };
    void offer();
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', renew);
      void stopWaitingInField();
    };
  }, [isActive]);
}
