import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { roleWords } from '../../../look/role-words.ts';
import { useSession } from '../app/session.ts';
import { useMode } from '../app/use-tillhook.ts';
import { Empty } from '../kit/empty.tsx';
import { modeWords } from '../kit/mode-words.ts';
import { Page } from '../kit/page.tsx';
import { type PageTab, PageTabs } from '../kit/page-tabs.tsx';
import { Merchants } from './merchants.tsx';
import { OpenTransfers } from './open-transfers.tsx';
import type { operatorTabs } from './operator-search.ts';
import { Reviews } from './reviews.tsx';

const tabs = {
  transfers: { label: 'Transfers', content: OpenTransfers },
  payments: { label: 'Payments under review', content: Reviews },
  merchants: { label: 'Merchants', content: Merchants },
} as const satisfies Record<(typeof operatorTabs)[number], PageTab>;

export function OperatorPage(): ReactNode {
  const { user } = useSession();
  const mode = useMode();
  const { tab = 'transfers' } = useSearch({ from: '/$mode/operator' });
  const navigate = useNavigate({ from: '/$mode/operator' });
  return (
    <Page isWide title="Operator" about={`Decisions of the operator for all merchants, in ${modeWords[mode]}.`}>
      {user.role === 'operator' ? (
        <PageTabs
          key={mode}
          label="Operator"
          tabs={tabs}
          shown={tab}
          onShow={(name) => void navigate({ search: { tab: name } })}
        />
      ) : (
        <Empty title="Only operators can open this page">
          Operators run this service. Your role is {roleWords(user.role).label}. The operator of the service can change
          it.
        </Empty>
      )}
    </Page>
  );
}
