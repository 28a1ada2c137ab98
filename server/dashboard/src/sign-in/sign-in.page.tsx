import { Anchor, Button, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { basePath } from '../app/base.ts';
import { keepSession } from '../app/session.ts';
import { signInWays } from '../app/sign-in-ways.ts';
import { Failure } from '../kit/failure.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { PasswordField } from '../kit/password-field.tsx';
import { BarePage } from './bare-page.tsx';
import { CompanyButton, CompanyCode, companyProblem } from './company-sign-in.tsx';
import { emailAutoComplete, PasskeyButton } from './passkey-sign-in.tsx';
import { CodeField } from './sign-in-fields.tsx';
import { useSignIn } from './use-sign-in.ts';

export function SignInPage(): ReactNode {
  const { from, problem, step } = useSearch({ from: '/sign-in' });
  const router = useRouter();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState({ email: '', password: '', code: '' });
  const { needsCode, isBusy, error, errorSentence, signIn, signInWithPasskey, beginAgain } = useSignIn(
    async (session) => {
      queryClient.clear();
      await keepSession(queryClient, session);
      void router.navigate({ to: ownAddress(from), replace: true });
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) void signIn(typed);
  };
  // The problem of a company sign-in is in the URL, and ends with the next try.
  const sentence = error ? errorSentence : companyProblem(problem);
  return (
    <BarePage title="Sign in" heading="Sign in to Tillhook" hasFailed={error !== null || sentence !== null}>
      {error && errorSentence === null && <Failure error={error} />}
      {sentence !== null && <ErrorSentence>{sentence}</ErrorSentence>}
      {step === 'code' && <CompanyCode isWrong={problem === 'wrong_code'} />}
      {step === undefined && signInWays.password && (
        <Paper component="form" method="post" onSubmit={submit} withBorder p="lg">
          <Stack gap="sm">
            {needsCode ? (
              <CodeField
                value={typed.code}
                onChange={(code) => setTyped({ ...typed, code })}
                isWrong={errorSentence !== null}
              />
            ) : (
              <>
                <TextInput
                  label="Email"
                  name="email"
                  inputMode="email"
                  autoComplete={emailAutoComplete}
                  required
                  withAsterisk={false}
                  maxLength={254}
                  value={typed.email}
                  onChange={({ currentTarget }) => setTyped({ ...typed, email: currentTarget.value })}
                  aria-invalid={errorSentence !== null || undefined}
                />
                <PasswordField
                  value={typed.password}
                  onChange={(password) => setTyped({ ...typed, password })}
                  isWrong={errorSentence !== null}
                />
              </>
            )}
            <Button type="submit" loading={isBusy} mt="xs">
              {needsCode ? 'Continue' : 'Sign in'}
            </Button>
            {needsCode && (
              <Button variant="default" onClick={beginAgain}>
                Use another account
              </Button>
            )}
          </Stack>
        </Paper>
      )}
      {step === undefined && signInWays.password && !needsCode && (
        <AnchorLink to="/forgot-password">Forgot your password?</AnchorLink>
      )}
      {step === undefined && !needsCode && (
        <PasskeyButton isBusy={isBusy} signInWithPasskey={signInWithPasskey} hasEmailField={signInWays.password} />
      )}
      {step === undefined && !needsCode && <CompanyButton from={from} />}
      <Text size="sm" c="dimmed">
        No account yet? Ask an administrator of your team to invite you. The{' '}
        <Anchor href={`${basePath}/docs`}>documentation</Anchor> is public.
      </Text>
    </BarePage>
  );
}

function ErrorSentence({ children }: { children: ReactNode }): ReactNode {
  return (
    <Text role="alert" c="var(--bad)" fw={600} size="sm">
      {children}
    </Text>
  );
}

/**
 * Only URLs of this dashboard are accepted, so that a link to the sign-in page cannot lead the user to another site.
 */
function ownAddress(from: string | undefined): string {
  return from !== undefined && /^\/(test|live)(\/|\?|$)/.test(from) ? from : '/';
}
