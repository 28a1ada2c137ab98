import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '../kit/page.tsx';
import { AuditLog } from './audit-log.tsx';
import { BusinessSettings } from './business-settings.tsx';
import { Sessions } from './sessions.tsx';
import { settingsTabs } from './settings-search.ts';
import { SignInSettings } from './sign-in-settings.tsx';

const tabs = {
  business: { label: 'Business', content: BusinessSettings },
  'sign-in': { label: 'Sign-in', content: SignInSettings },
  sessions: { label: 'Sessions', content: Sessions },
  audit: { label: 'Audit log', content: AuditLog },
} as const satisfies Record<(typeof settingsTabs)[number], { label: string; content: () => ReactNode }>;

/** Settings for both modes: the business, and how its users sign in. */
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
