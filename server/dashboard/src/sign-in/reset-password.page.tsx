import { Button, Paper, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { TillhookError } from '@tillhook/sdk/session';
import { type FormEvent, type ReactNode, useState } from 'react';
import { visitor } from '../app/api.ts';
import { linkToken } from '../app/link-token.ts';
import { Failure } from '../kit/failure.tsx';
import { fieldProblems } from '../kit/field-problems.ts';
import { ButtonLink } from '../kit/links.tsx';
import { NewPasswordField, tooShort } from '../kit/new-password-field.tsx';
import { BarePage, UselessLinkPage } from './bare-page.tsx';

export function ResetPasswordPage(): ReactNode {
  const [password, setPassword] = useState('');
  const [lengthProblem, setLengthProblem] = useState<string>();
  const resetting = useMutation({
    mutationFn: (typed: string) => visitor.user.resetPassword({ token: linkToken ?? '', password: typed }),
  });
  const { data, error, isPending } = resetting;
  if (data) return <Done email={data.email} />;
  if (linkToken === null) {
    return <Useless>The link is incomplete, or this page was reloaded. Open the link in the email again.</Useless>;
  }
  const problems = fieldProblems(error);
  if ((error instanceof TillhookError && error.code === 'invalid_link') || problems.token !== undefined) {
    return <Useless>This link was already used or has expired.</Useless>;
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const problem = tooShort(password);
    setLengthProblem(problem);
    if (!problem && !isPending) resetting.mutate(password);
  };
  return (
    <BarePage title="Set a new password" hasFailed={error !== null || lengthProblem !== undefined}>
      {error && problems.password === undefined && (
        <Failure error={error}>
          {error instanceof TillhookError && error.status === null && (
            <Text size="sm">The password may have changed. Sign in with the new one to find out.</Text>
          )}
        </Failure>
      )}
      <Paper component="form" method="post" onSubmit={submit} withBorder p="lg">
        <Stack gap="sm">
          <NewPasswordField value={password} onChange={setPassword} problem={lengthProblem ?? problems.password} />
          <Button type="submit" loading={isPending} mt="xs">
            Set password
          </Button>
        </Stack>
      </Paper>
      <Text size="sm" c="dimmed">
        This signs you out everywhere. Two-step sign-in stays on.
      </Text>
    </BarePage>
  );
}

function Useless({ children }: { children: ReactNode }): ReactNode {
  return (
    <UselessLinkPage
      title="This link does not work"
      reason={children}
      wayOut={<ButtonLink to="/forgot-password">Request a new link</ButtonLink>}
    />
  );
}

function Done({ email }: { email: string }): ReactNode {
  return (
    <BarePage title="Password set">
      <Text size="sm">
        You can now sign in as <b>{email}</b>. You were signed out everywhere.
      </Text>
      <ButtonLink to="/sign-in">Sign in</ButtonLink>
    </BarePage>
  );
}
