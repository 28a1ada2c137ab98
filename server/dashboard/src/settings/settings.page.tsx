import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Settings } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useRead } from '../app/use-read.ts';
import { FieldList } from '../kit/field-list.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { ExactMoment } from '../kit/moment.tsx';
import { Money } from '../kit/money.tsx';
import { Page } from '../kit/page.tsx';
import { type PageTab, PageTabs } from '../kit/page-tabs.tsx';
import { Section } from '../kit/section.tsx';
import { Team } from '../team/team.tsx';
import { AuditLog } from './audit-log.tsx';
import { BrandForm } from './brand-form.tsx';
import { Receipts } from './receipts.tsx';
import { settingsTabs } from './settings-search.ts';
import { TimeZoneForm } from './time-zone-form.tsx';

const tabs = {
  business: { label: 'Business', content: BusinessSettings },
  receipts: { label: 'Receipts', content: Receipts },
  team: { label: 'Team', content: Team },
  audit: { label: 'Audit log', content: AuditLog },
} as const satisfies Record<(typeof settingsTabs)[number], PageTab>;

export function SettingsPage(): ReactNode {
  const { tab: named } = useSearch({ from: '/$mode/settings' });
  const tab = settingsTabs.find((name) => name === named) ?? 'business';
  const navigate = useNavigate({ from: '/$mode/settings' });
  return (
    <Page
      title="Settings"
      windowTitle={`${tabs[tab].label} · Settings`}
      about="These settings apply to test and live mode."
    >
      <PageTabs label="Settings" tabs={tabs} shown={tab} onShow={(name) => void navigate({ search: { tab: name } })} />
    </Page>
  );
}

export function BusinessSettings(): ReactNode {
  const settings = useRead({ key: ['settings'], read: (tillhook, options) => tillhook.settings.get(options) });
  return (
    <Loaded read={settings}>
      {(present) => (
        <>
          <Section
            title="Checkout branding"
            about="What customers see on the checkout page, in both modes. Changes apply as soon as you save."
          >
            <BrandForm settings={present} />
          </Section>
          <Section title="Days">
            <TimeZoneForm settings={present} />
          </Section>
          <Section title="Currency and fees">
            <Fixed {...present} />
          </Section>
        </>
      )}
    </Loaded>
  );
}

function Fixed({ currency, transferFee, createdAt }: Settings): ReactNode {
  return (
    <FieldList
      fields={[
        [
          'Currency',
          `${currency}. It cannot be changed, because your payments and balances use it. A checkout can use another currency.`,
        ],
        [
          'Fee per transfer',
          <>
            <Money amount={transferFee} currency={currency} />, set by the operator of this service.
          </>,
        ],
        ['Merchant since', <ExactMoment key="since" at={createdAt} />],
      ]}
    />
  );
}
