import { Stack, Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Settings } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useRead } from '../app/use-read.ts';
import { FieldList } from '../kit/field-list.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { ExactMoment } from '../kit/moment.tsx';
import { Money } from '../kit/money.tsx';
import { Page } from '../kit/page.tsx';
import { Section } from '../kit/section.tsx';
import { AuditLog } from './audit-log.tsx';
import { BrandForm } from './brand-form.tsx';
import { ChangePassword } from './change-password.tsx';
import { Sessions } from './sessions.tsx';
import { settingsTabs } from './settings-search.ts';
import { TwoStep } from './two-step.tsx';

const tabs = {
  business: { label: 'Business', content: BusinessSettings },
  'sign-in': { label: 'Sign-in', content: SignInSettings },
  sessions: { label: 'Sessions', content: Sessions },
  audit: { label: 'Audit log', content: AuditLog },
} as const satisfies Record<(typeof settingsTabs)[number], { label: string; content: () => ReactNode }>;

export function SettingsPage(): ReactNode {
  const { tab = 'business' } = useSearch({ from: '/$mode/settings' });
  const navigate = useNavigate({ from: '/$mode/settings' });
  const show = (value: string | null) =>
    void navigate({ search: { tab: settingsTabs.find((name) => name === value && name !== 'business') } });
  return (
    <Page title="Settings" windowTitle={`${tabs[tab].label} · Settings`} about="They hold in test and in live mode.">
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List aria-label="Settings">
          {settingsTabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {tabs[name].label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {settingsTabs.map((name) => {
          const Content = tabs[name].content;
          return (
            <Tabs.Panel key={name} value={name} pt="md">
              <Content />
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </Page>
  );
}

export function SignInSettings(): ReactNode {
  return (
    <Stack gap="lg">
      <TwoStep />
      <ChangePassword />
    </Stack>
  );
}

export function BusinessSettings(): ReactNode {
  const settings = useRead({ key: ['settings'], read: (tillhook, options) => tillhook.settings.get(options) });
  return (
    <Stack gap="lg">
      <Loaded read={settings}>
        {(present) => (
          <>
            <Section
              title="What customers see"
              about="On the page where they pay, in both modes, from the moment you save."
            >
              <BrandForm settings={present} />
            </Section>
            <Section title="What is fixed">
              <Fixed {...present} />
            </Section>
          </>
        )}
      </Loaded>
    </Stack>
  );
}

function Fixed({ currency, transferFee, createdAt }: Settings): ReactNode {
  return (
    <FieldList
      fields={[
        [
          'Currency',
          `${currency}. It cannot change, because payments and balances that exist are in it. A checkout may name another one.`,
        ],
        [
          'Fee of a transfer',
          <>
            <Money amount={transferFee} currency={currency} />. The operator of this service sets it.
          </>,
        ],
        ['Merchant since', <ExactMoment key="since" at={createdAt} />],
      ]}
    />
  );
}
