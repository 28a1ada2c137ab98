import { Button, Paper, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { basePath } from '../app/base.ts';
import { companyStart, signInWays } from '../app/sign-in-ways.ts';
import { CodeField } from './sign-in-fields.tsx';

/** A link and no form, because the service answers with a redirect to another site. */
export function CompanyButton({ from, isInNewTab }: { from?: string | undefined; isInNewTab?: boolean }): ReactNode {
  if (!signInWays.company) return null;
  return (
    <Button
      component="a"
      href={companyStart(from)}
      variant={signInWays.password ? 'default' : 'filled'}
      h="auto"
      mih="var(--button-height)"
      py={6}
      styles={{ inner: { minHeight: 22 }, label: { whiteSpace: 'normal', textAlign: 'center' } }}
      {...(isInNewTab && { target: '_blank' })}
    >
      Continue with {signInWays.company.name}
      {isInNewTab && ' in a new tab'}
    </Button>
  );
}

/** The issuer has said who the user is, and the service still wants a code. The form is answered with a redirect. */
export function CompanyCode({ isWrong }: { isWrong: boolean }): ReactNode {
  const [code, setCode] = useState('');
  return (
    <Paper component="form" method="post" action={`${basePath}/dashboard/oidc/code`} withBorder p="lg">
      <Stack gap="sm">
        <CodeField value={code} onChange={setCode} isWrong={isWrong} />
        <Button type="submit" mt="xs">
          Continue
        </Button>
        <Button component="a" href={`${basePath}/dashboard/sign-in`} variant="default">
          Use another account
        </Button>
      </Stack>
    </Paper>
  );
}

export function companyProblem(problem: string | undefined): string | null {
  return problem === undefined ? null : (problems[problem] ?? 'The sign-in failed. Try again.');
}

/** `src/pages/dashboard/company-sign-in.routes.ts` of the server names these problems in the URL. */
const problems: Record<string, string> = {
  again: 'This sign-in has expired or was already used. Start again.',
  cancelled: 'The sign-in was cancelled.',
  unreachable: 'Your company’s sign-in is not responding. Try again in a minute.',
  invalid:
    'Your company’s sign-in sent an invalid response. Start again. If that does not help, contact the operator of this service.',
  unverified:
    'Your company account has no verified email address. Ask your company to verify it. If all your colleagues see this message, contact the operator of this service, who finds the setting under “Company sign-in” in the documentation.',
  unknown: 'Your company account has no access here. Ask an administrator for an invitation to your email address.',
  not_listed:
    'A user with your email address exists, but company sign-in is not set up for this user. Sign in as you did before. If this user is not you, contact the operator of this service.',
  taken:
    'The user with your email address belongs to another company account. Ask an administrator to remove this user and invite you.',
  passkey_first:
    'The user with your email address has a passkey. Sign in with it first, then connect your company account in “Account”. If the passkey is not yours, ask an administrator to remove this user and invite you.',
  removed: 'Your access was removed. Ask an administrator for an invitation to your email address.',
  full: 'The merchant has reached its limit of users. Contact an administrator.',
  misconfigured: 'Company sign-in is not set up correctly. Contact the operator of this service.',
  still_there:
    'You are signed out here, but your company’s sign-in is not responding. You may still be signed in there.',
  suspended: 'The operator of this service has suspended your merchant.',
  wrong_code: 'This code is wrong or was already used. Wait for the next one.',
  too_many: 'Too many sign-ins from your network. Try again in a minute.',
};
