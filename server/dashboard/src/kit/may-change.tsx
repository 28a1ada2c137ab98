import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSession } from '../app/session.ts';

/**
 * Whether the user may change data of the merchant. The service would refuse other users' changes, so the page hides
 * the buttons from them.
 */
export function useMayChange(): boolean {
  return useSession().user.role === 'merchant';
}

/** Explains to a user who may not change data why the page has no buttons. Shows nothing to other users. */
export function ReadOnlyNote({ what }: { what: string }): ReactNode {
  const { user } = useSession();
  if (user.role === 'merchant') return null;
  return (
    <Text size="sm" c="dimmed">
      Your role is {user.role}: you can read this page. To {what}, sign in with the role merchant.
    </Text>
  );
}
