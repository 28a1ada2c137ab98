import { useRouter, useRouterState } from '@tanstack/react-router';
import type { Mode } from '@tillhook/sdk/session';
import type { MouseEvent, ReactNode } from 'react';
import { useMode } from '../app/use-tillhook.ts';
import classes from './mode-switch.module.css';

/** A record exists in only one mode, so on the page of a record the link leads to the list of such records. */
export function ModeSwitch(): ReactNode {
  const present = useMode();
  return (
    <nav className={classes.switch} aria-label="Mode">
      <ModeLink mode="test" present={present}>
        Test
      </ModeLink>
      <ModeLink mode="live" present={present}>
        Live
      </ModeLink>
    </nav>
  );
}

function ModeLink({ mode, present, children }: { mode: Mode; present: Mode; children: ReactNode }): ReactNode {
  const router = useRouter();
  const section = useRouterState({ select: ({ location }) => location.pathname.split('/')[2] ?? '' });
  const { href } = router.buildLocation({ to: `/${mode}/${section}` });
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    void router.navigate({ to: `/${mode}/${section}` });
  };
  return (
    <a
      className={classes.mode}
      data-mode={mode}
      href={href}
      onClick={follow}
      aria-current={mode === present ? 'true' : undefined}
    >
      {children}
    </a>
  );
}
