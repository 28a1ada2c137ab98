import type { Overview } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Section } from '../kit/section.tsx';
import { declineWords } from '../payments/attempt-words.ts';
import { DeliveryFigures } from './delivery-figures.tsx';
import { type FiguresProps, PaymentFigures } from './payment-figures.tsx';
import { count, share } from './stat.tsx';

export function Figures({ overview, own, daysNote }: FiguresProps): ReactNode {
  return (
    <>
      <PaymentFigures overview={overview} own={own} daysNote={daysNote} />
      <DeliveryFigures overview={overview} />
      <Declines overview={overview} />
    </>
  );
}

export function Declines({ overview }: { overview: Overview }): ReactNode {
  const { declines } = overview.now;
  if (declines.length === 0) return null;
  const all = declines.reduce((sum, decline) => sum + decline.count, 0);
  const before = new Map(overview.before.declines.map((decline) => [decline.code, decline.count]));
  const columns: Column<(typeof declines)[number]>[] = [
    { title: 'Reason', cell: ({ message, code }) => <span title={code}>{declineWords(code, message)}</span> },
    { title: 'Payments', isNumber: true, isNarrow: true, cell: (decline) => count().format(decline.count) },
    { title: 'Share', isNumber: true, isNarrow: true, cell: (decline) => share(decline.count, all) },
    { title: 'Before', isNumber: true, isNarrow: true, cell: ({ code }) => count().format(before.get(code) ?? 0) },
  ];
  return (
    <Section title="Decline reasons" about="The last decline reason of each payment that was not paid." isBare>
      <DataTable label="Decline reasons" columns={columns} rows={declines} keyOf={({ code }) => code} />
    </Section>
  );
}
