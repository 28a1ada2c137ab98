import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type InvitationWithLink, TillhookError } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { fieldProblems } from '../kit/field-problems.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { ExactMoment } from '../kit/moment.tsx';
import { ShownOnce } from '../kit/shown-once.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';
import { RoleChoice } from './role-choice.tsx';

/** Shows the link in the same dialog, because no later page can show the link. */
export function InviteDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [invited, setInvited] = useState<InvitationWithLink | null>(null);
  const form = useForm({
    initialValues: { email: '', role: 'developer' },
    validate: { email: (typed) => (typed.trim() === '' ? 'Type the email address.' : null) },
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
      title="Invite a person"
      isOpen
      onClose={onClose}
      mutation={inviting}
      onSubmit={form.onSubmit((typed) => inviting.mutate(typed))}
      submitLabel="Invite"
      isErrorShown={problem !== undefined}
    >
      <TextInput
        label="Email"
        description="The person signs in with this address."
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
  return (
    <ShownOnce
      title="The person is invited"
      about={
        <>
          <Text size="sm">
            Give this link to <bdi>{email}</bdi>. If this service sends mails, a mail with the link is on its way too.
          </Text>
          <Text size="sm">
            It works once, until <ExactMoment at={expiresAt} />. Anyone who has it can accept the invitation.
          </Text>
        </>
      }
      value={link}
      what="link"
      onClose={onClose}
    />
  );
}
