import { Stack } from '@mantine/core';
import type { Settings } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useRead } from '../app/use-read.ts';
import { Facts } from '../kit/facts.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { ExactMoment } from '../kit/moment.tsx';
import { Money } from '../kit/money.tsx';
import { Section } from '../kit/section.tsx';
import { BrandForm } from './brand-form.tsx';

/** The settings that customers see, and those that cannot be changed. */
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
    <Facts
      facts={[
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
