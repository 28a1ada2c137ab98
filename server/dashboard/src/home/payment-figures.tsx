import { SimpleGrid, Stack } from '@mantine/core';
import type { Overview } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useMode } from '../app/use-tillhook.ts';
import { decimalsOf, formatAmount, signOf } from '../kit/amount.ts';
import { Empty } from '../kit/empty.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { locale } from '../kit/locale.ts';
import { Money } from '../kit/money.tsx';
import { Section } from '../kit/section.tsx';
import { FiguresChart } from './figures-chart.tsx';
import { changeOf, comparedWith, count, Stat, share } from './stat.tsx';

type Counts = Overview['now']['payments'][number];

export function PaymentFigures({ overview }: { overview: Overview }): ReactNode {
  const mode = useMode();
  const { now, before } = overview;
  const currencies = [...new Set([...now.payments, ...before.payments].map(({ currency }) => currency))];
  return (
    <Section
      title="Payments"
      about="Counted by the moment at which the checkout was created. Days are those of UTC."
      isBare
    >
      {currencies.length === 0 ? (
        <Empty title="No payment in this time">
          <AnchorLink to="/$mode/payments" params={{ mode }}>
            Create a checkout link
          </AnchorLink>{' '}
          and send it to a customer.
        </Empty>
      ) : (
        <Stack gap="lg">
          {currencies.map((currency) => (
            <CurrencyFigures key={currency} currency={currency} overview={overview} />
          ))}
        </Stack>
      )}
    </Section>
  );
}

function CurrencyFigures({ currency, overview }: { currency: string; overview: Overview }): ReactNode {
  const now = countsOf(overview.now.payments, currency);
  const before = countsOf(overview.before.payments, currency);
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <Stat
          label={`Volume in ${currency}`}
          value={<Money amount={now.amount} currency={currency} />}
          before={comparedWith(
            <Money amount={before.amount} currency={currency} />,
            changeOf(now.amount, before.amount),
          )}
        />
        <Stat
          label="Completed"
          value={count().format(now.completed)}
          before={comparedWith(count().format(before.completed), changeOf(now.completed, before.completed))}
        />
        <Stat
          label="Success rate, of those that ended"
          value={rateOf(now) ?? 'None ended'}
          before={comparedWith(rateOf(before) ?? 'none ended', null)}
        />
        <Stat
          label="Failed and expired"
          value={`${count().format(now.failed)} and ${count().format(now.expired)}`}
          before={comparedWith(`${count().format(before.failed)} and ${count().format(before.expired)}`, null)}
        />
      </SimpleGrid>
      <FiguresChart
        title={`Volume in ${currency}`}
        interval={overview.interval}
        points={overview.intervals.map(({ startsAt, payments }) => ({
          startsAt,
          values: [countsOf(payments, currency).amount],
        }))}
        series={[{ name: `Volume in ${currency}`, color: 'var(--accent)' }]}
        writeShort={(amount) => shortAmount(amount, currency)}
        write={(amount) => formatAmount(amount, currency)}
      />
    </Stack>
  );
}

/** Formats an amount for an axis, such as "₦240K". */
function shortAmount(amount: number, currency: string): string {
  return new Intl.NumberFormat(locale(), {
    style: 'currency',
    currency,
    currencyDisplay: signOf(currency),
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(amount / 10 ** decimalsOf(currency));
}

function countsOf(payments: readonly Counts[], currency: string): Counts {
  const none = { currency, created: 0, completed: 0, failed: 0, expired: 0, amount: 0 };
  return payments.find((counts) => counts.currency === currency) ?? none;
}

function rateOf({ completed, failed, expired }: Counts): string | null {
  return share(completed, completed + failed + expired);
}
