import { Button, Group, Stack, Text } from '@mantine/core';
import type { Member } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { roleWords } from '../../../look/role-words.ts';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { useMayCall } from '../kit/may-call.tsx';
import { Moment } from '../kit/moment.tsx';
import { notify } from '../kit/notices.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';
import { RoleChoice } from './role-choice.tsx';

const nameOf = ({ name, email }: Member) => name ?? email;

export function MembersTable({ members }: { members: readonly Member[] }): ReactNode {
  const [chosen, setChosen] = useState<{ member: Member; to: 'change' | 'remove' } | null>(null);
  const mayChange = useMayCall('updateMember');
  const close = () => setChosen(null);
  const actions: Column<Member> = {
    title: 'Change',
    isNarrow: true,
    cell: (member) => (
      <Group gap={4} wrap="nowrap" justify="flex-end">
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => setChosen({ member, to: 'change' })}
          aria-label={`Change role of ${nameOf(member)}`}
        >
          Role
        </Button>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => setChosen({ member, to: 'remove' })}
          aria-label={`Remove ${nameOf(member)}`}
        >
          Remove
        </Button>
      </Group>
    ),
  };
  return (
    <>
      <DataTable
        label="Who has access"
        columns={mayChange ? [...columns, actions] : columns}
        rows={members}
        keyOf={({ id }) => id}
      />
      {chosen?.to === 'change' && <RoleDialog member={chosen.member} onClose={close} />}
      {chosen?.to === 'remove' && <RemoveDialog member={chosen.member} onClose={close} />}
    </>
  );
}

const columns: Column<Member>[] = [
  { title: 'User', cell: (member) => <Person {...member} />, isRowHeader: true },
  { title: 'Role', isNarrow: true, cell: ({ role }) => roleWords(role).label },
  {
    title: 'Two-step sign-in',
    isNarrow: true,
    cell: ({ hasTwoStep }) =>
      hasTwoStep ? <StatusBadge status="on" tone="good" /> : <StatusBadge status="off" tone="warn" />,
  },
  { title: 'Last seen', isNarrow: true, cell: ({ lastSeenAt }) => (lastSeenAt ? <Moment at={lastSeenAt} /> : 'Never') },
];

function Person({ name, email, isYou }: Member): ReactNode {
  return (
    <Stack gap={0}>
      {name !== null && (
        <div>
          <bdi>{name}</bdi>
        </div>
      )}
      <Group gap={6}>
        <Text span inherit {...(name !== null && { c: 'dimmed', fw: 400 })}>
          <bdi>{email}</bdi>
        </Text>
        {isYou && <StatusBadge status="you" />}
      </Group>
    </Stack>
  );
}

function RoleDialog({ member, onClose }: { member: Member; onClose: () => void }): ReactNode {
  const [role, setRole] = useState<string>(member.role);
  const changing = useServiceMutation({
    mutate: (tillhook, chosen: string) => tillhook.team.update(member.id, { role: chosen as never }),
    changes: ['team', 'audit'],
    onAnswer: ({ role: changed, isYou }) => {
      onClose();
      // The pages of the own role are others, so they are loaded again.
      if (isYou && changed !== member.role) location.reload();
      void notify(`${nameOf(member)} now has the role ${roleWords(changed).label}`);
    },
  });
  return (
    <FormDialog
      title={`Role of ${nameOf(member)}`}
      isOpen
      onClose={onClose}
      mutation={changing}
      onSubmit={() => changing.mutate(role)}
      submitLabel="Change role"
    >
      <RoleChoice value={role} onChange={setRole} />
      <Text size="sm" c="dimmed">
        The new role applies at once, without a new sign-in.
      </Text>
    </FormDialog>
  );
}

function RemoveDialog({ member, onClose }: { member: Member; onClose: () => void }): ReactNode {
  const removing = useServiceMutation({
    mutate: (tillhook, id: string) => tillhook.team.remove(id),
    changes: ['team', 'audit'],
    onAnswer: ({ isYou }) => {
      onClose();
      if (isYou) location.reload();
      void notify(`${nameOf(member)} no longer has access`);
    },
  });
  return (
    <FormDialog
      title={`Remove ${nameOf(member)}?`}
      isOpen
      onClose={onClose}
      mutation={removing}
      onSubmit={() => removing.mutate(member.id)}
      submitLabel="Remove"
      isDangerous
    >
      <Text size="sm">
        All sessions of <bdi>{member.email}</bdi> end at once. Their past actions stay in the audit log. API keys that
        they created or saw still work: roll them under Developers if they may be misused.
      </Text>
      {member.isYou && (
        <Text size="sm" fw={600}>
          This is your own account. You will be signed out.
        </Text>
      )}
    </FormDialog>
  );
}
