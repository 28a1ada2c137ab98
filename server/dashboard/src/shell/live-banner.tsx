import { Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLiveNeeds } from '../app/live-needs.ts';
import { useSession } from '../app/session.ts';
import { Checklist } from '../kit/checklist.tsx';
import { knownNeeds, LiveChecklist } from '../kit/live-checklist.tsx';
import classes from './live-banner.module.css';

/**
 * Shown on every live page until nothing is missing.
 * See docs/decisions/dashboard.md, "The list of live mode can be hidden once customers can pay".
 */
export function LiveBanner(): ReactNode {
  const { merchant } = useSession();
  const section = useRouterState({ select: ({ location }) => location.pathname.split('/')[2] ?? '' });
  const needs = knownNeeds(useLiveNeeds({ isEnabled: true }) ?? []);
  const [shown, setShown] = useLocalStorage<'unset' | 'open' | 'folded' | 'hidden'>({
    key: `tillhook-live-setup-${merchant.id}`,
    defaultValue: 'unset',
    getInitialValueInEffect: false,
  });
  const missing = needs.filter(({ isMet }) => !isMet).map(({ kind }) => kind);
  const lacksPayments = missing.includes('payment_processor');
  const lacksTransfers = missing.includes('payout_processor') && (section === 'transfers' || section === 'balances');
  const isBlocked = lacksPayments || lacksTransfers;
  // A merchant without transfers needs no payout processor.
  const isUnfinished = missing.some((kind) => kind !== 'payout_processor');
  if (!isBlocked && (!isUnfinished || shown === 'hidden')) return null;
  // A merchant who takes payments and sends no money is not bothered with a list on the pages of transfers.
  const isOpen = shown === 'open' || (shown !== 'folded' && (lacksPayments || isUnfinished));
  return (
    <div className={classes.banner}>
      <Checklist
        title={<Text fw={600}>{titleOf({ lacksPayments, lacksTransfers })}</Text>}
        about={aboutOf({ lacksPayments, lacksTransfers })}
        done={needs.length - missing.length}
        total={needs.length}
        isWarning={isBlocked}
        isOpen={isOpen}
        onToggle={() => setShown(isOpen ? 'folded' : 'open')}
        onHide={isBlocked ? undefined : () => setShown('hidden')}
      >
        <LiveChecklist needs={needs} />
      </Checklist>
    </div>
  );
}

interface Lacks {
  lacksPayments: boolean;
  lacksTransfers: boolean;
}

function titleOf({ lacksPayments, lacksTransfers }: Lacks): string {
  if (lacksPayments) return 'Live payments are not set up';
  return lacksTransfers ? 'Live transfers are not set up' : 'Live mode is not completely set up';
}

function aboutOf({ lacksPayments, lacksTransfers }: Lacks): string {
  if (lacksPayments) return 'Customers cannot pay in live mode yet. In test mode everything works, without real money.';
  if (lacksTransfers)
    return 'You cannot send money in live mode yet. Only the operator of this service can set up a payout processor.';
  return 'Customers can pay. Before you take many payments, complete this list.';
}
