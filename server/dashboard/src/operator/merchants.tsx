import { Button, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import type { MerchantRecord, Mode } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { basePath } from '../app/base.ts';
import { paged } from '../app/search.ts';
import { useSession } from '../app/session.ts';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { watchedMerchant, watchMerchant } from '../app/watched-merchant.ts';
import { Callout } from '../kit/callout.tsx';
import type { Column } from '../kit/data-table.tsx';
import { Moment } from '../kit/moment.tsx';
import { RecordList } from '../kit/record-list.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';

export function Merchants(): ReactNode {
  const { page = 1 } = useSearch({ from: '/$mode/operator' });
  const mode = useMode();
  const { merchant: watched } = useSession();
  const query = paged({ page });
  const merchants = useRead({
    key: ['operator', 'merchants', query],
    read: (tillhook, options) => tillhook.operator.listMerchants(query, options),
    keepsPrevious: true,
  });
  return (
    <>
      {watchedMerchant() !== undefined && (
        <Callout
          tone="waiting"
          title={
            <>
              You are viewing <bdi>{watched.name}</bdi>
            </>
          }
        >
          <Button size="xs" variant="default" onClick={() => watchMerchant(null, addressOf(mode))}>
            Back to your own merchant
          </Button>
        </Callout>
      )}
      <RecordList
        name="merchants"
        label="Merchants"
        read={merchants}
        listOf={({ merchants: rows, total }) => ({ rows, total })}
        columns={columnsFor(mode, watched.id)}
        keyOf={({ id }) => id}
        empty={null}
      />
    </>
  );
}

function addressOf(mode: Mode): string {
  return `${basePath}/dashboard/${mode}`;
}

function columnsFor(mode: Mode, watchedId: string): Column<MerchantRecord>[] {
  return [
    { title: 'Name', onPhone: 'lead', cell: ({ name }) => <bdi>{name}</bdi> },
    { title: 'Currency', isNarrow: true, onPhone: 'who', cell: ({ currency }) => currency },
    {
      title: 'Status',
      isNarrow: true,
      onPhone: 'state',
      cell: ({ isSuspended }) =>
        isSuspended ? <StatusBadge status="suspended" tone="bad" /> : <StatusBadge status="active" />,
    },
    {
      title: 'Two-step sign-in',
      isNarrow: true,
      cell: ({ requiresTwoStep }) => (requiresTwoStep ? 'Required' : 'Optional'),
    },
    {
      title: 'Since',
      isNarrow: true,
      onPhone: 'when',
      isNamedOnPhone: true,
      cell: ({ createdAt }) => <Moment at={createdAt} />,
    },
    {
      title: 'Open',
      isNarrow: true,
      onPhone: 'act',
      cell: ({ id, name }) =>
        id === watchedId ? (
          <Text span inherit c="dimmed">
            Current
          </Text>
        ) : (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => watchMerchant(id, addressOf(mode))}
            aria-label={`Open ${name}`}
          >
            Open
          </Button>
        ),
    },
  ];
}
