import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSession } from '../app/session.ts';

/** Users who may not change data see no buttons, because the service would refuse their changes. */
export function useMayChange(): boolean {
  return useSession().user.role === 'merchant';
}

export function ReadOnlyNote({ what }: { what: string }): ReactNode {
  const { user } = useSession();
  if (user.role === 'merchant') return null;
  return (
    <Text size="sm" c="dimmed">
      Your role is {user.role}: you can read this page. To {what}, sign in with the role merchant.
    </Text>
  );
}
