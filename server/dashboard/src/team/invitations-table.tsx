import { Button, Group } from '@mantine/core';
import type { Invitation, InvitationWithLink } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { roleWords } from '../../../look/role-words.ts';
import { ChangeButton } from '../kit/change-button.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Failure } from '../kit/failure.tsx';
import { useMayCall } from '../kit/may-call.tsx';
import { ComingMoment } from '../kit/moment.tsx';
import { notify } from '../kit/notices.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';

interface InvitationsTableProps {
  invitations: readonly Invitation[];
  /** Receives the new link, which a service without mails shows only once. */
  onRenewed: (invitation: InvitationWithLink) => void;
}

export function InvitationsTable({ invitations, onRenewed }: InvitationsTableProps): ReactNode {
  const mayChange = useMayCall('resendInvitation');
  const resending = useServiceMutation({
    mutate: (tillhook, id: string) => tillhook.team.resendInvitation(id),
    changes: ['team', 'audit'],
    onAnswer: onRenewed,
  });
  const actions: Column<Invitation> = {
    title: 'Change',
    isNarrow: true,
    cell: ({ id, email }) => (
      <Group gap={4} wrap="nowrap" justify="flex-end">
        <Button
          size="compact-xs"
          variant="default"
          loading={resending.isBusy}
          onClick={() => resending.mutate(id)}
          aria-label={`Resend to ${email}`}
        >
          Resend
        </Button>
        <ChangeButton
          label="Revoke"
          name={`Revoke the invitation of ${email}`}
          size="compact-xs"
          title={`Revoke the invitation of ${email}?`}
          isDangerous
          change={({ team }) => team.revokeInvitation(id)}
          changes={['team', 'audit']}
          onDone={() => void notify('Invitation revoked')}
        >
          Its link stops working.
        </ChangeButton>
      </Group>
    ),
  };
  return (
    <>
      <DataTable
        label="Pending invitations"
        columns={mayChange ? [...columns, actions] : columns}
        rows={invitations}
        keyOf={({ id }) => id}
      />
      {resending.error && <Failure error={resending.error} onTryAgain={resending.again} />}
    </>
  );
}

const columns: Column<Invitation>[] = [
  { title: 'User', cell: ({ email }) => <bdi>{email}</bdi>, isRowHeader: true },
  { title: 'Role', isNarrow: true, cell: ({ role }) => roleWords(role).label },
  {
    title: 'Invited by',
    cell: ({ invitedBy }) => (invitedBy === null ? 'The operator of this service' : <bdi>{invitedBy}</bdi>),
  },
  {
    title: 'Expires',
    isNarrow: true,
    cell: ({ expiresAt }) =>
      Date.parse(expiresAt) <= Date.now() ? <StatusBadge status="expired" /> : <ComingMoment at={expiresAt} />,
  },
];
