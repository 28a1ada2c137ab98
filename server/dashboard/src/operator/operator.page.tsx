import { Stack, Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../app/session.ts';
import { useMode } from '../app/use-tillhook.ts';
import { Empty } from '../kit/empty.tsx';
import { Page } from '../kit/page.tsx';
import { Merchants } from './merchants.tsx';
import { OpenTransfers } from './open-transfers.tsx';
import { operatorTabs } from './operator-search.ts';
import { Reviews } from './reviews.tsx';

const tabs = {
  transfers: { label: 'Transfers', content: OpenTransfers },
  payments: { label: 'Payments under review', content: Reviews },
  merchants: { label: 'Merchants', content: Merchants },
} as const satisfies Record<(typeof operatorTabs)[number], { label: string; content: () => ReactNode }>;

export function OperatorPage(): ReactNode {
  const { user } = useSession();
  const mode = useMode();
  const { tab = 'transfers' } = useSearch({ from: '/$mode/operator' });
  const navigate = useNavigate({ from: '/$mode/operator' });
  const show = (value: string | null) =>
    void navigate({ search: { tab: operatorTabs.find((name) => name === value && name !== 'transfers') } });
  return (
    <Page title="Operator" about={`What the people of this service decide, for all merchants, in ${mode} mode.`}>
      {user.role === 'operator' ? (
        <Tabs value={tab} onChange={show} keepMounted={false}>
          <Tabs.List aria-label="Operator">
            {operatorTabs.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {tabs[name].label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {operatorTabs.map((name) => {
            const Content = tabs[name].content;
            return (
              <Tabs.Panel key={name} value={name} pt="md">
                <Stack gap="md">
                  <Content key={mode} />
                </Stack>
              </Tabs.Panel>
            );
          })}
        </Tabs>
      ) : (
        <Empty title="This page is for operators">
          Operators are people of this service. Your role is {user.role}; the operator of the service can give you
          another one.
        </Empty>
      )}
    </Page>
  );
}
