import { Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CatchBoundary, Link, Outlet, useRouterState } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react';
import { basePath } from '../app/base.ts';
import { hasSessionEnded, onSessionChange } from '../app/ended-session.ts';
import { lazily } from '../app/load-script.tsx';
import { rememberMode } from '../app/remembered-mode.ts';
import { useReloadForOtherUser, useSession } from '../app/session.ts';
import { useMode } from '../app/use-tillhook.ts';
import { watchedMerchant } from '../app/watched-merchant.ts';
import { AnchorLink } from '../kit/links.tsx';
import { Notices } from '../kit/notices.tsx';
import { Brand } from './brand.tsx';
import { LatePart } from './late-part.tsx';
import { ModeSwitch } from './mode-switch.tsx';
import { Navigation } from './navigation.tsx';
import { Search } from './search.tsx';
import classes from './shell.module.css';
import { UserMenu } from './user-menu.tsx';

const LiveBanner = lazily(async () => (await import('./live-banner.tsx')).LiveBanner);
const EndedSessionDialog = lazily(async () => (await import('./ended-session-dialog.tsx')).EndedSessionDialog);

/**
 * The frame around every page of a signed-in user.
 * See docs/decisions/dashboard.md, "The frame is a grid of the style sheet".
 */
export function Shell(): ReactNode {
  const mode = useMode();
  const { merchant } = useSession();
  const [isOpen, { toggle, close }] = useDisclosure();
  const hasEnded = useSyncExternalStore(onSessionChange, hasSessionEnded);
  const address = useRouterState({ select: ({ location }) => location.pathname });
  useReloadForOtherUser();
  useEffect(() => rememberMode(mode), [mode]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when the user opens another page.
  useEffect(close, [address]);
  return (
    <div data-mode={mode} className={classes.shell}>
      <a className={classes.skip} href="#page">
        Skip to content
      </a>
      <header className={`bar ${classes.header}`}>
        <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" aria-expanded={isOpen} />
        <Link to="/$mode" params={{ mode }} className={`brand ${classes.brand}`}>
          <Brand />
        </Link>
        <span className={classes.merchant} title={merchant.name} dir="auto">
          {merchant.name}
        </span>
        <Group gap="xs" wrap="nowrap" ml="auto">
          <Search />
          <ModeSwitch />
          <nav aria-label="Sections" className={`places ${classes.places}`}>
            <a href={`${basePath}/docs`}>Docs</a>
          </nav>
          <UserMenu />
        </Group>
      </header>
      <div className={classes.navigation} data-open={isOpen || undefined}>
        <Navigation />
      </div>
      <main id="page" tabIndex={-1} className={classes.main}>
        <div className={classes.content}>
          <WatchedNote />
          {mode === 'live' && <LiveNote />}
          <Outlet />
        </div>
      </main>
      <Notices />
      {hasEnded && (
        <LatePart name="The question for your password">
          <EndedSessionDialog />
        </LatePart>
      )}
    </div>
  );
}

/** A page works without this note, so nothing is shown when its script cannot be loaded. */
function LiveNote(): ReactNode {
  return (
    <CatchBoundary getResetKey={() => 'never'} errorComponent={() => null}>
      <Suspense>
        <LiveBanner />
      </Suspense>
    </CatchBoundary>
  );
}

/** An operator sees this note while the page shows the data of another merchant. */
export function WatchedNote(): ReactNode {
  const mode = useMode();
  const { merchant, user } = useSession();
  if (user.role !== 'operator' || watchedMerchant() === undefined) return null;
  return (
    <Text size="sm" mb="md">
      You are viewing <bdi>{merchant.name}</bdi> as the operator.{' '}
      <AnchorLink to="/$mode/operator" params={{ mode }} search={{ tab: 'merchants' }}>
        Back to Merchants
      </AnchorLink>
    </Text>
  );
}
