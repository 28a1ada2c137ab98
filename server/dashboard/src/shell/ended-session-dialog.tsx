import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { visitor } from '../app/api.ts';
import { basePath } from '../app/base.ts';
import { resumeCalls } from '../app/ended-session.ts';
import { keepSession, useSession } from '../app/session.ts';
import { signInWays } from '../app/sign-in-ways.ts';
import { forgetWatchedMerchant } from '../app/watched-merchant.ts';
import { Dialog } from '../kit/dialog.tsx';
import { Failure } from '../kit/failure.tsx';
import { PasswordField } from '../kit/password-field.tsx';
import { CompanyButton } from '../sign-in/company-sign-in.tsx';
import { PasskeyButton } from '../sign-in/passkey-sign-in.tsx';
import { CodeField } from '../sign-in/sign-in-fields.tsx';
import { useSignIn } from '../sign-in/use-sign-in.ts';

/**
 * The dialog lies over the unchanged page, and waiting requests are sent again after the sign-in, so that forms keep
 * their content.
 */
export function EndedSessionDialog(): ReactNode {
  const { user } = useSession();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState({ password: '', code: '' });
  const { needsCode, isBusy, error, errorSentence, signIn, signInWithPasskey } = useSignIn(async (session) => {
    if (session.user.id !== user.id) return location.reload();
    await keepSession(queryClient, session);
    resumeCalls();
  });
  useSessionOfAnotherTab(user.id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // In React, events of the dialog bubble to the form of the page, which would be submitted too.
    event.stopPropagation();
    if (!isBusy) void signIn({ email: user.email, ...typed });
  };
  return (
    <Dialog
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Your session has ended"
      zIndex={1000}
    >
      <form method="post" onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm">
            Sign in again as <b dir="auto">{user.email}</b> to continue. Nothing that you typed is lost.
          </Text>
          <input type="hidden" name="email" autoComplete="username" value={user.email} readOnly />
          {error && errorSentence === null && <Failure error={error} />}
          {errorSentence !== null && (
            <Text role="alert" c="var(--bad)" fw={600} size="sm">
              {errorSentence}
            </Text>
          )}
          {signInWays.password && (
            <>
              {needsCode ? (
                <CodeField
                  value={typed.code}
                  onChange={(code) => setTyped({ ...typed, code })}
                  isWrong={errorSentence !== null}
                />
              ) : (
                <PasswordField
                  value={typed.password}
                  onChange={(password) => setTyped({ ...typed, password })}
                  isWrong={errorSentence !== null}
                  autoFocus
                />
              )}
              <Button type="submit" loading={isBusy}>
                Sign in
              </Button>
            </>
          )}
          <PasskeyButton isBusy={isBusy} signInWithPasskey={signInWithPasskey} />
          <CompanyButton isInNewTab />
          <Anchor size="sm" href={`${basePath}/dashboard/sign-in`} onClick={forgetWatchedMerchant}>
            Sign in as another user and leave this page
          </Anchor>
        </Stack>
      </form>
    </Dialog>
  );
}

/** The page continues when the user has signed in in another tab, because all tabs share the session cookie. */
function useSessionOfAnotherTab(userId: string): void {
  useEffect(() => {
    const look = async () => {
      if (document.visibilityState !== 'visible') return;
      const session = await visitor.session.get().catch(() => null);
      if (!session) return;
      if (session.user.id === userId) resumeCalls();
      else location.reload();
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [userId]);
}
