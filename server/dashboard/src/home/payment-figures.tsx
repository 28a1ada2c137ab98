import { SimpleGrid, Stack } from '@mantine/core';
import type { Overview } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useLacksProcessor } from '../app/live-needs.ts';
import { useMode } from '../app/use-tillhook.ts';
import { decimalsOf, formatAmount, signOf } from '../kit/amount.ts';
import { Empty } from '../kit/empty.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { locale } from '../kit/locale.ts';
import { Money } from '../kit/money.tsx';
import { Section } from '../kit/section.tsx';
import { FiguresChart } from './figures-chart.tsx';
import { Compared, count, Stat, share } from './stat.tsx';

type Counts = Overview['now']['payments'][number];
type Volume = Overview['now']['volume'][number];

export interface FiguresProps {
  overview: Overview;
  /** The currency of the merchant. */
  own: string;
  /** Says whose days these are. Its script reads the session, and the script of the figures is loaded before. */
  daysNote: ReactNode;
}

export function PaymentFigures({ overview, own, daysNote }: FiguresProps): ReactNode {
  const mode = useMode();
  const lacksProcessor = useLacksProcessor('payment_processor');
  const currencies = currenciesOf(overview, own);
  return (
    <Section title="Payments" about={daysNote} isBare>
      {currencies.length === 0 ? (
        <Empty title="No payments in this period">
          {lacksProcessor ? (
            'Live payments are not set up yet. The list at the top of this page says what is missing.'
          ) : (
            <>
              <AnchorLink to="/$mode/payments" params={{ mode }}>
                Create a checkout link
              </AnchorLink>{' '}
              and send it to a customer.
            </>
          )}
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

/** The merchant's own currency is the first. A currency in which no payment has ended yet has no figures. */
function currenciesOf({ now, before }: Overview, own: string): string[] {
  const payments = [...now.payments, ...before.payments];
  const counted = [...now.volume, ...before.volume, ...payments.filter((counts) => endedOf(counts) > 0)];
  const others = new Set(counted.map(({ currency }) => currency));
  const hasOwn = others.delete(own) || (others.size === 0 && payments.length > 0);
  return [...(hasOwn ? [own] : []), ...[...others].sort()];
}

/** Money is counted when it moved, and the outcomes of payments by the creation of the payments. */
function CurrencyFigures({ currency, overview }: { currency: string; overview: Overview }): ReactNode {
  const { days } = overview;
  const [now, before] = [overview.now, overview.before].map((period) => ({
    ...countsOf(period.payments, currency),
    ...volumeOf(period.volume, currency),
  })) as [Figures, Figures];
  const amount = (value: number) => formatAmount(value, currency);
  // One figure says that there was nothing in the period before, and the others do not repeat it.
  const isFirst = before.gross === 0 && before.payments === 0;
  const number = (value: number) => count().format(value);
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
        <Stat
          label={`Gross volume in ${currency}`}
          value={<Money amount={now.gross} currency={currency} />}
          note={<Compared days={days} now={now.gross} before={before.gross} write={amount} />}
        />
        <Stat
          label={`Net volume in ${currency}`}
          value={<Money amount={now.net} currency={currency} />}
          note={!isFirst && <Compared days={days} now={now.net} before={before.net} write={amount} />}
          details={<Deducted {...now} currency={currency} />}
        />
        <Stat
          label="Completed payments"
          value={number(now.payments)}
          note={!isFirst && <Compared days={days} now={now.payments} before={before.payments} write={number} />}
        />
        <Stat
          label="Success rate"
          value={share(now.completed, endedOf(now)) ?? 'None finished'}
          note={
            <Compared
              days={days}
              now={rateOf(now)}
              before={rateOf(before)}
              write={() => share(before.completed, endedOf(before)) ?? ''}
              isShare
            />
          }
        />
        <Stat
          label="Failed"
          value={number(now.failed)}
          note={<Compared days={days} now={now.failed} before={before.failed} write={number} />}
        />
        <Stat
          label="Expired"
          value={number(now.expired)}
          note={<Compared days={days} now={now.expired} before={before.expired} write={number} />}
        />
      </SimpleGrid>
      <FiguresChart
        title={`Gross volume in ${currency}`}
        interval={overview.interval}
        timeZone={overview.timeZone}
        points={overview.intervals.map(({ startsAt, volume }) => ({
          startsAt,
          values: [volumeOf(volume, currency).gross],
        }))}
        series={[{ name: `Gross volume in ${currency}`, color: 'var(--accent)' }]}
        writeShort={(value) => shortAmount(value, currency)}
        write={amount}
      />
    </Stack>
  );
}

function Deducted({ refunds, fees, currency }: Volume): ReactNode {
  if (refunds === 0 && fees === 0) return 'No refunds or fees';
  return (
    <>
      {refunds !== 0 && (
        <div>
          Refunds <Money amount={refunds} currency={currency} />
        </div>
      )}
      {fees !== 0 && (
        <div>
          Fees <Money amount={fees} currency={currency} />
        </div>
      )}
    </>
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

type Figures = Counts & Volume;

function countsOf(payments: readonly Counts[], currency: string): Counts {
  const none = { currency, created: 0, completed: 0, failed: 0, expired: 0, amount: 0 };
  return payments.find((counts) => counts.currency === currency) ?? none;
}

function volumeOf(volumes: readonly Volume[], currency: string): Volume {
  const none = { currency, payments: 0, gross: 0, refunds: 0, fees: 0, net: 0 };
  return volumes.find((volume) => volume.currency === currency) ?? none;
}

const endedOf = ({ completed, failed, expired }: Counts) => completed + failed + expired;

function rateOf(counts: Counts): number | null {
  const ended = endedOf(counts);
  return ended === 0 ? null : counts.completed / ended;
}
