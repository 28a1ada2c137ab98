import { Menu, Text } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { visitor } from '../app/api.ts';
import { basePath } from '../app/base.ts';
import { useSession } from '../app/session.ts';

/** Who is signed in, in which role, and the way out. */
export function OpenedUserMenu({ children }: { children: ReactElement }): ReactNode {
  const { user } = useSession();
  return (
    <Menu position="bottom-end" width={240} defaultOpened withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text component="span" display="block" size="sm" truncate dir="auto">
            {user.email}
          </Text>
          <Text component="span" size="xs">
            {roles[user.role]}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component="a" href={`${basePath}/docs`}>
          Documentation
        </Menu.Item>
        <Menu.Item onClick={() => void signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const roles = {
  merchant: 'May change everything',
  viewer: 'May read, not change',
  operator: 'Operator of this service',
};

/** The page is loaded anew, so that nothing of the session stays in it. A session that had ended is as good as signed out. */
async function signOut(): Promise<void> {
  await visitor.session.signOut().catch(() => {});
  location.assign(`${basePath}/dashboard/sign-in`);
}
