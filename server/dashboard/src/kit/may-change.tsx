import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSession } from '../app/session.ts';

/** Whether who is signed in may change anything of the merchant. The service refuses it anyhow; here it is not offered. */
export function useMayChange(): boolean {
  return useSession().user.role === 'merchant';
}

/** Says why the buttons of a page are missing. Shows nothing to a user who has them. */
export function ReadOnlyNote({ what }: { what: string }): ReactNode {
  const { user } = useSession();
  if (user.role === 'merchant') return null;
  return (
    <Text size="sm" c="dimmed">
      Your role is {user.role}: you can read this page. To {what}, sign in with the role merchant.
    </Text>
  );
}
