import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type InvitationWithLink, TillhookError } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { basePath } from '../app/base.ts';
import { signInWays } from '../app/sign-in-ways.ts';
import { Dialog } from '../kit/dialog.tsx';
import { fieldProblems } from '../kit/field-problems.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { ExactMoment } from '../kit/moment.tsx';
import { ShownOnce } from '../kit/shown-once.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';
import { RoleChoice } from './role-choice.tsx';

/** Shows the link of a service without mails in the same dialog, because no later page can show the link. */
export function InviteDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [invited, setInvited] = useState<InvitationWithLink | null>(null);
  const form = useForm({
    initialValues: { email: '', role: 'developer' },
    validate: { email: (typed) => (typed.trim() === '' ? 'Enter the email address.' : null) },
  });
  // A repeated invitation of the same address replaces the earlier one, so a lost answer is asked for again.
  const inviting = useServiceMutation({
    mutate: (tillhook, { email, role }: typeof form.values) =>
      tillhook.team.invite({ email: email.trim(), role: role as never }),
    changes: ['team', 'audit'],
    onAnswer: setInvited,
  });
  if (invited) return <InvitationLink invitation={invited} onClose={onClose} />;
  const problem = problemOf(inviting.error);
  return (
    <FormDialog
      title="Invite a user"
      isOpen
      onClose={onClose}
      mutation={inviting}
      onSubmit={form.onSubmit((typed) => inviting.mutate(typed))}
      submitLabel="Invite"
      isErrorShown={problem !== undefined}
    >
      <TextInput
        label="Email"
        description="The user signs in with this address."
        inputMode="email"
        autoComplete="off"
        maxLength={254}
        required
        withAsterisk={false}
        data-autofocus
        {...form.getInputProps('email')}
        error={form.errors.email ?? problem}
      />
      <RoleChoice value={form.values.role} onChange={(role) => form.setFieldValue('role', role)} />
    </FormDialog>
  );
}

function problemOf(error: Error | null): string | undefined {
  if (error instanceof TillhookError && error.code === 'email_in_use') return `${error.message}.`;
  return fieldProblems(error).email;
}

interface InvitationLinkProps {
  invitation: InvitationWithLink;
  onClose: () => void;
}

export function InvitationLink({ invitation, onClose }: InvitationLinkProps): ReactNode {
  const { email, link, expiresAt } = invitation;
  const title = 'Invitation created';
  const time = (
    <Text size="sm">
      It works once, until <ExactMoment at={expiresAt} />. Anyone who has it can accept the invitation.
    </Text>
  );
  if (link === null) {
    return (
      <Dialog opened onClose={onClose} title={title} size="lg">
        <Stack gap="sm">
          {signInWays.mailbox ? (
            <Text size="sm">
              This demo sends no emails. The email with the link for <bdi>{email}</bdi> is{' '}
              <Anchor href={`${basePath}/mails/latest?to=${encodeURIComponent(email)}`}>in its mailbox</Anchor>. Only
              that email has the link.
            </Text>
          ) : (
            <Text size="sm">
              An email with a link is on its way to <bdi>{email}</bdi>. Only that email has the link.
            </Text>
          )}
          {time}
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      </Dialog>
    );
  }
  const about = (
    <>
      <Text size="sm">
        Send this link to <bdi>{email}</bdi> yourself: this service sends no emails.
      </Text>
      {time}
    </>
  );
  return <ShownOnce title={title} about={about} value={link} what="the link" onClose={onClose} />;
}
