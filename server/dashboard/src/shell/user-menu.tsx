import { ActionIcon } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { lazily, loadAhead } from '../app/load-script.tsx';
import { useSession } from '../app/session.ts';
import { CircleUser } from '../kit/icons.tsx';
import { LatePart } from './late-part.tsx';
import { useShortcuts } from './shortcuts.ts';

const menu = () => import('./user-menu-opened.tsx');
const KeyboardHelp = lazily(async () => (await import('./keyboard-help.tsx')).KeyboardHelp);
const OpenedUserMenu = lazily(async () => (await menu()).OpenedUserMenu);

export function UserMenu(): ReactNode {
  const { user } = useSession();
  const [isWanted, setIsWanted] = useState(false);
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  useShortcuts(() => setIsHelpOpen(true));
  const target = useRef<HTMLButtonElement>(null);
  const button = (
    <ActionIcon
      ref={target}
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={`Account of ${user.email}`}
      aria-haspopup="menu"
      onClick={() => setIsWanted(true)}
      onPointerEnter={() => loadAhead(menu)}
    >
      <CircleUser size={20} aria-hidden />
    </ActionIcon>
  );
  return (
    <>
      {isWanted ? (
        <LatePart name="The account menu" fallback={button} onClose={() => setIsWanted(false)}>
          <OpenedUserMenu target={target} onHelp={() => setIsHelpOpen(true)}>
            {button}
          </OpenedUserMenu>
        </LatePart>
      ) : (
        button
      )}
      {isHelpOpen && (
        <LatePart name="The keyboard help" onClose={() => setIsHelpOpen(false)}>
          <KeyboardHelp onClose={() => setIsHelpOpen(false)} />
        </LatePart>
      )}
    </>
  );
}
