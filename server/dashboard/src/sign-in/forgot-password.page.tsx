import { Anchor, Button, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { TillhookError } from '@tillhook/sdk/session';
import { type FormEvent, type ReactNode, useState } from 'react';
import { visitor } from '../app/api.ts';
import { basePath } from '../app/base.ts';
import { signInWays } from '../app/sign-in-ways.ts';
import { CodeBlock } from '../kit/code-block.tsx';
import { Failure } from '../kit/failure.tsx';
import { fieldProblems } from '../kit/field-problems.ts';
import { AnchorLink } from '../kit/links.tsx';
import { BarePage } from './bare-page.tsx';

export function ForgotPasswordPage(): ReactNode {
  if (!signInWays.password) return <NoPasswords />;
  return signInWays.resetByMail ? <RequestLink /> : <AskOperator />;
}

function RequestLink(): ReactNode {
  const [email, setEmail] = useState('');
  const requesting = useMutation({
    mutationFn: (typed: string) => visitor.user.requestPasswordReset({ email: typed }),
  });
  if (requesting.data) return <LinkSent email={requesting.data.email} onAgain={requesting.reset} />;
  const problem = fieldProblems(requesting.error).email;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!requesting.isPending) requesting.mutate(email.trim());
  };
  return (
    <BarePage title="Forgot your password?" hasFailed={requesting.isError}>
      <Text size="sm">
        Enter the email address that you sign in with. We will email you a link to set a new password.
      </Text>
      {requesting.error && problem === undefined && (
        <Failure error={requesting.error}>
          {requesting.error instanceof TillhookError && requesting.error.status === 429 && (
            <Text size="sm">Check your inbox: a link that was sent before works for 30 minutes.</Text>
          )}
        </Failure>
      )}
      <Paper component="form" method="post" onSubmit={submit} withBorder p="lg">
        <Stack gap="sm">
          <TextInput
            label="Email"
            name="email"
            inputMode="email"
            autoComplete="username"
            required
            withAsterisk={false}
            maxLength={254}
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
            error={problem}
          />
          <Button type="submit" loading={requesting.isPending} mt="xs">
            Send link
          </Button>
        </Stack>
      </Paper>
      <BackToSignIn />
    </BarePage>
  );
}

/** Choice: the page does not say whether the account exists, because a stranger could try addresses. */
function LinkSent({ email, onAgain }: { email: string; onAgain: () => void }): ReactNode {
  return (
    <BarePage title="Check your inbox">
      <Text size="sm">
        If <b>{email}</b> has an account here, an email with a link is on its way. The link works once, for 30 minutes.
      </Text>
      {signInWays.mailbox && (
        <Text size="sm">
          This demo sends no emails. It shows them <Anchor href={`${basePath}/mails`}>in its mailbox</Anchor>.
        </Text>
      )}
      <Text size="sm" c="dimmed">
        No email after a few minutes? Check your spam folder and the address.
      </Text>
      <Button variant="default" onClick={onAgain}>
        Use another address
      </Button>
      <BackToSignIn />
    </BarePage>
  );
}

function AskOperator(): ReactNode {
  return (
    <BarePage title="Forgot your password?">
      <Text size="sm">
        This service sends no emails, so it cannot send you a link. Ask its operator to set a new password for you with
        this command:
      </Text>
      <CodeBlock text="npx tillhook users reset-password --email you@example.com" what="command" />
      <Text size="sm">
        An administrator of your merchant cannot set your password, but can remove you from the team and invite you
        again. You then choose a new password and set up passkeys and two-step sign-in again.
      </Text>
      <BackToSignIn />
    </BarePage>
  );
}

function NoPasswords(): ReactNode {
  return (
    <BarePage title="No password needed">
      <Text size="sm">Users of this service sign in without a password: with a company account or a passkey.</Text>
      <BackToSignIn />
    </BarePage>
  );
}

function BackToSignIn(): ReactNode {
  return <AnchorLink to="/sign-in">Back to sign-in</AnchorLink>;
}
