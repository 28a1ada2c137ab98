import { Button, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type OfferedInvitation, type Session, TillhookError } from '@tillhook/sdk/session';
import { type FormEvent, type ReactNode, useState } from 'react';
import { roleInOneLine } from '../../../look/role-words.ts';
import { visitor } from '../app/api.ts';
import { createPasskey, offersPasskeys } from '../app/browser-passkeys.ts';
import { linkToken } from '../app/link-token.ts';
import { keepSession } from '../app/session.ts';
import { signInWays } from '../app/sign-in-ways.ts';
import { forgetWatchedMerchant } from '../app/watched-merchant.ts';
import { Failure } from '../kit/failure.tsx';
import { FieldList } from '../kit/field-list.tsx';
import { fieldProblems } from '../kit/field-problems.ts';
import { ButtonLink } from '../kit/links.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { ExactMoment } from '../kit/moment.tsx';
import { NewPasswordField, tooShort } from '../kit/new-password-field.tsx';
import { LinesSkeleton } from '../kit/page-skeleton.tsx';
import { BarePage, UselessLinkPage } from './bare-page.tsx';
import { CompanyButton } from './company-sign-in.tsx';

export function InvitationPage(): ReactNode {
  const invitation = useQuery({
    queryKey: ['invitation'],
    queryFn: () => visitor.team.readInvitation({ token: linkToken ?? '' }),
    enabled: linkToken !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (linkToken === null) {
    return <Useless>The link is incomplete, or this page was reloaded. Open the link again.</Useless>;
  }
  const sentence = uselessBecause(invitation.error);
  if (sentence !== null) return <Useless>{sentence}</Useless>;
  if (!invitation.data) {
    return (
      <BarePage title="Invitation" hasFailed={invitation.isError}>
        <Loaded read={invitation} skeleton={<LinesSkeleton lines={3} />}>
          {() => null}
        </Loaded>
      </BarePage>
    );
  }
  return <Acceptance invitation={invitation.data} />;
}

function Acceptance({ invitation }: { invitation: OfferedInvitation }): ReactNode {
  const [typed, setTyped] = useState({ name: '', password: '' });
  const [lengthProblem, setLengthProblem] = useState<string>();
  const [isNameMissing, setIsNameMissing] = useState(false);
  const accepting = useAccepting();
  const { error, isPending } = accepting;
  const sentence = uselessBecause(error);
  if (sentence !== null) return <Useless>{sentence}</Useless>;
  const problems = fieldProblems(error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const problem = tooShort(typed.password);
    setLengthProblem(problem);
    if (!problem && !isPending) accepting.mutate({ ...typed, name: typed.name.trim() });
  };
  const acceptWithPasskey = () => {
    const name = typed.name.trim();
    setIsNameMissing(name === '');
    if (name !== '' && !isPending) accepting.mutate({ name, password: null });
  };
  return (
    <BarePage
      title={`Join ${invitation.merchantName}`}
      heading={
        <>
          Join <bdi>{invitation.merchantName}</bdi>
        </>
      }
      hasFailed={error !== null || lengthProblem !== undefined}
    >
      <Offer {...invitation} />
      {error && Object.keys(problems).length === 0 && <Failure error={error} />}
      {takesName && (
        <Paper component="form" method="post" onSubmit={submit} withBorder p="lg">
          <Stack gap="sm">
            {/* Password managers keep the password under this address. */}
            <TextInput label="Email" autoComplete="username" value={invitation.email} readOnly />
            <TextInput
              label="Your name"
              description="Your team sees it."
              autoComplete="name"
              dir="auto"
              maxLength={120}
              required
              withAsterisk={false}
              value={typed.name}
              onChange={({ currentTarget }) => setTyped({ ...typed, name: currentTarget.value })}
              error={isNameMissing && typed.name.trim() === '' ? 'Enter your name first.' : problems.name}
            />
            {signInWays.password && (
              <>
                <NewPasswordField
                  label="Password"
                  value={typed.password}
                  onChange={(password) => setTyped({ ...typed, password })}
                  problem={lengthProblem ?? problems.password}
                />
                <Button type="submit" loading={isPending} mt="xs">
                  Accept invitation
                </Button>
              </>
            )}
            {offersPasskeys && (
              <Button
                variant={signInWays.password ? 'default' : 'filled'}
                disabled={isPending}
                onClick={acceptWithPasskey}
              >
                Accept with a passkey
              </Button>
            )}
          </Stack>
        </Paper>
      )}
      {signInWays.company && <CompanyWay email={invitation.email} />}
    </BarePage>
  );
}

/** A company account brings its own name. */
const takesName = signInWays.password || offersPasskeys;

function CompanyWay({ email }: { email: string }): ReactNode {
  return (
    <>
      <Text size="sm">
        {takesName ? 'Or accept' : 'Accept'} with your company account, if its email address is <bdi>{email}</bdi>.
      </Text>
      <CompanyButton />
    </>
  );
}

/** Without a password, the person makes a passkey. */
function useAccepting() {
  const router = useRouter();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, password }: { name: string; password: string | null }) => {
      const token = linkToken ?? '';
      const way =
        password === null
          ? { passkey: await createPasskey(() => visitor.team.beginInvitationPasskey({ token })) }
          : { password };
      return visitor.team.acceptInvitation({ token, name, ...way });
    },
    onSuccess: async (session: Session) => {
      // Another user may have been signed in here before.
      queryClient.clear();
      forgetWatchedMerchant();
      await keepSession(queryClient, session);
      void router.navigate({ to: '/', replace: true });
    },
  });
}

function Offer({ role, invitedBy, expiresAt }: OfferedInvitation): ReactNode {
  return (
    <FieldList
      fields={[
        ['Your role', roleInOneLine(role)],
        ['Invited by', invitedBy === null ? 'The operator of this service' : <bdi key="by">{invitedBy}</bdi>],
        ['Valid until', <ExactMoment key="until" at={expiresAt} />],
      ]}
    />
  );
}

function Useless({ children }: { children: ReactNode }): ReactNode {
  return (
    <UselessLinkPage
      title="This invitation does not work"
      reason={children}
      wayOut={<ButtonLink to="/sign-in">Sign in with an account</ButtonLink>}
    />
  );
}

const useless = ['resource_not_found', 'invitation_over', 'email_in_use', 'merchant_suspended'];

/** Returns the service's sentence if another try cannot help. */
function uselessBecause(error: Error | null): string | null {
  if (!(error instanceof TillhookError)) return null;
  if (error.details.some(({ path }) => path === '/token')) return 'The link is incomplete. Open the full link.';
  return useless.includes(error.code ?? '') ? `${error.message}.` : null;
}
