import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface SignatureHeadersProps {
  isStaged: boolean;
  /** Whether the secret before the present one still signs. */
  hasOld: boolean;
}

/** Which secret signs which of the two headers, now and in each step of a rotation. */
export function SignatureHeaders({ isStaged, hasOld }: SignatureHeadersProps): ReactNode {
  return (
    <>
      <Table.ScrollContainer minWidth={420} type="native" tabIndex={0} role="region" aria-label="Which secret signs">
        <Table fz="sm" withRowBorders>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Header</Table.Th>
              <Table.Th scope="col">{isStaged ? 'Now, while one is staged' : 'Now'}</Table.Th>
              <Table.Th scope="col">{isStaged ? 'Once it has taken over' : 'While a next secret is staged'}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <Table.Tr>
              <Table.Th scope="row">
                <code>webhook-signature</code>
              </Table.Th>
              <Table.Td>{signatures({ isStaged, hasOld })}</Table.Td>
              <Table.Td>
                {isStaged
                  ? 'two for 24 hours: the new secret, and the one that it replaced'
                  : signatures({ isStaged: true, hasOld })}
              </Table.Td>
            </Table.Tr>
            <Table.Tr>
              <Table.Th scope="row">
                <code>X-Service-Signature</code>
              </Table.Th>
              <Table.Td>the present secret</Table.Td>
              <Table.Td>{isStaged ? 'the new secret' : 'the present secret, until the next takes over'}</Table.Td>
            </Table.Tr>
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text size="sm">
        A receiver that verifies <code>webhook-signature</code>, as the SDK does, may change its secret at any time
        while both sign. One that verifies <code>X-Service-Signature</code> changes at the moment when the next secret
        takes over, or tries both secrets.
      </Text>
    </>
  );
}

function signatures({ isStaged, hasOld }: SignatureHeadersProps): string {
  if (isStaged && hasOld) return 'three signatures: the present secret, the next, and the old';
  if (isStaged) return 'two signatures: the present secret, and the next';
  return hasOld ? 'two signatures: the present secret, and the old' : 'the present secret';
}
