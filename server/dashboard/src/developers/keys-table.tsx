import { Button, Code, Group, Text } from '@mantine/core';
import type { ApiKey, CreatedApiKey } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { useMayCall } from '../kit/may-call.tsx';
import { Moment } from '../kit/moment.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';
import { useKeyRights } from './key-rights.ts';
import { hintOf, nameOf, scopeWords } from './key-words.ts';
import { RollKeyDialog } from './roll-key-dialog.tsx';

interface KeysTableProps {
  label: string;
  keys: readonly ApiKey[];
  /** Called with the new key after a roll. Without this function the table has no buttons. */
  onKey?: (key: CreatedApiKey) => void;
}

export function KeysTable({ label, keys, onKey }: KeysTableProps): ReactNode {
  const [chosen, setChosen] = useState<{ key: ApiKey; to: 'roll' | 'revoke' } | null>(null);
  const mayChange = useMayCall('rollApiKey') && onKey !== undefined;
  const { mayRoll } = useKeyRights();
  const close = () => setChosen(null);
  const actions: Column<ApiKey> = {
    title: 'Change',
    isNarrow: true,
    cell: (key) => (
      <Group gap={4} wrap="nowrap" justify="flex-end">
        {mayRoll(key) && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => setChosen({ key, to: 'roll' })}
            aria-label={`Roll ${nameOf(key)}, ${hintOf(key)}`}
          >
            Roll
          </Button>
        )}
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => setChosen({ key, to: 'revoke' })}
          aria-label={`Revoke ${nameOf(key)}, ${hintOf(key)}`}
        >
          Revoke
        </Button>
      </Group>
    ),
  };
  return (
    <>
      <DataTable
        label={label}
        columns={mayChange ? [...columns, actions] : columns}
        rows={keys}
        keyOf={({ id }) => id}
      />
      {chosen?.to === 'roll' && onKey && <RollKeyDialog apiKey={chosen.key} onKey={onKey} onClose={close} />}
      {chosen?.to === 'revoke' && <RevokeKeyDialog apiKey={chosen.key} onClose={close} />}
    </>
  );
}

const columns: Column<ApiKey>[] = [
  {
    title: 'Name',
    cell: ({ name }) =>
      name === null ? (
        <Text span inherit c="dimmed">
          No name
        </Text>
      ) : (
        <bdi>{name}</bdi>
      ),
  },
  {
    title: 'Key',
    isNarrow: true,
    cell: (key) => <Code>{hintOf(key)}</Code>,
  },
  {
    title: 'Permissions',
    cell: ({ scopes: allowed }) => allowed?.map(scopeWords).join(' · ') ?? 'Full access',
  },
  { title: 'Last used', isNarrow: true, cell: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} /> : 'Never') },
  { title: 'Created', isNarrow: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: 'Status', isNarrow: true, cell: (key) => <KeyStatus {...key} /> },
];

function KeyStatus({ revokedAt, expiresAt }: ApiKey): ReactNode {
  if (revokedAt !== null) return <StatusBadge status="revoked" />;
  if (expiresAt === null) return <StatusBadge status="active" />;
  const isOver = Date.parse(expiresAt) <= Date.now();
  return isOver ? (
    <StatusBadge status="expired">Rolled</StatusBadge>
  ) : (
    <StatusBadge status="active" tone="warn">
      Expires <Moment at={expiresAt} />
    </StatusBadge>
  );
}

export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }): ReactNode {
  const revoking = useServiceMutation({
    mutate: (tillhook, id: string) => tillhook.apiKeys.revoke(id),
    changes: ['apiKeys', 'audit'],
    onAnswer: onClose,
  });
  return (
    <FormDialog
      title="Revoke API key"
      isOpen
      onClose={onClose}
      mutation={revoking}
      onSubmit={() => revoking.mutate(apiKey.id)}
      submitLabel="Revoke key"
      isDangerous
    >
      <Text size="sm">
        Programs that use <bdi>{nameOf(apiKey)}</bdi> (<Code>{hintOf(apiKey)}</Code>) stop working at once. This cannot
        be undone.{' '}
        {apiKey.lastUsedAt ? (
          <>
            It was last used <Moment at={apiKey.lastUsedAt} />.
          </>
        ) : (
          'It was never used.'
        )}
      </Text>
    </FormDialog>
  );
}
