import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../kit/data-table.tsx';

interface SignatureHeadersProps {
  isStaged: boolean;
  /** Whether the service still signs with the old secret. */
  hasOld: boolean;
}

export function SignatureHeaders(state: SignatureHeadersProps): ReactNode {
  const columns: Column<Header>[] = [
    { title: 'Header', isRowHeader: true, cell: ({ name }) => <code>{name}</code> },
    { title: state.isStaged ? 'Now, while one is staged' : 'Now', cell: ({ now }) => now },
    {
      title: state.isStaged ? 'After the switch' : 'While a next secret is staged',
      cell: ({ afterwards }) => afterwards,
    },
  ];
  return (
    <>
      <DataTable label="Which secret signs" columns={columns} rows={headersIn(state)} keyOf={({ name }) => name} />
      <Text size="sm">
        A receiver that verifies <code>webhook-signature</code>, as the SDK does, can switch at any time while both
        secrets sign. One that verifies <code>X-Service-Signature</code> must switch when the next secret takes over, or
        try both.
      </Text>
    </>
  );
}

interface Header {
  name: string;
  now: string;
  afterwards: string;
}

function headersIn(state: SignatureHeadersProps): Header[] {
  const now = signatures(state);
  const afterwards = state.isStaged
    ? 'two for 24 hours: the new secret, and the one that it replaced'
    : signatures({ ...state, isStaged: true });
  return [
    { name: 'webhook-signature', now, afterwards },
    {
      name: 'X-Service-Signature',
      now: 'the current secret',
      afterwards: state.isStaged ? 'the new secret' : 'the current secret, until the next takes over',
    },
  ];
}

function signatures({ isStaged, hasOld }: SignatureHeadersProps): string {
  if (isStaged && hasOld) return 'three signatures: the current secret, the next, and the old';
  if (isStaged) return 'two signatures: the current secret and the next';
  return hasOld ? 'two signatures: the current secret and the old' : 'the current secret';
}
