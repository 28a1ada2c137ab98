import { Menu, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, type RefObject, useState } from 'react';
import { roleWords } from '../../../look/role-words.ts';
import { basePath } from '../app/base.ts';
import { useSession } from '../app/session.ts';
import { signOut } from '../app/sign-out.ts';
import { useMode } from '../app/use-tillhook.ts';
import { Dialog, useFocusBack } from '../kit/dialog.tsx';
import { Failure } from '../kit/failure.tsx';

interface OpenedUserMenuProps {
  target: RefObject<HTMLElement | null>;
  onHelp: () => void;
  children: ReactElement;
}

export function OpenedUserMenu({ target, onHelp, children }: OpenedUserMenuProps): ReactNode {
  const { user } = useSession();
  const mode = useMode();
  const [failure, setFailure] = useState<Error | null>(null);
  const [isOpen, setIsOpen] = useState(true);
  useFocusBack(isOpen, target);
  const leave = () => {
    setFailure(null);
    signOut().catch(setFailure);
  };
  return (
    <>
      <Menu
        position="bottom-end"
        width={240}
        opened={isOpen}
        onChange={setIsOpen}
        withinPortal={false}
        withInitialFocusPlaceholder={false}
      >
        <Menu.Target>{children}</Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            {user.name !== null && (
              <Text component="span" display="block" size="sm" fw={600} truncate dir="auto">
                {user.name}
              </Text>
            )}
            <Text component="span" display="block" size="sm" truncate dir="auto">
              {user.email}
            </Text>
            <Text component="span" size="xs">
              {roleWords(user.role).what}
            </Text>
          </Menu.Label>
          <Menu.Divider />
          <Menu.Item renderRoot={(props) => <Link to="/$mode/account" params={{ mode }} {...props} />}>
            Your account
          </Menu.Item>
          <Menu.Item onClick={onHelp}>Keyboard shortcuts</Menu.Item>
          <Menu.Item component="a" href={`${basePath}/docs`}>
            Documentation
          </Menu.Item>
          <Menu.Item onClick={leave}>Sign out</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Dialog opened={failure !== null} onClose={() => setFailure(null)} title="You may still be signed in">
        {failure && <Failure error={failure} onTryAgain={leave} />}
      </Dialog>
    </>
  );
}
