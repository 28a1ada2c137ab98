import type { Review } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { Money } from '../kit/money.tsx';

export function CameIn({ paid }: Pick<Review, 'paid'>): ReactNode {
  if (paid.length === 0) return 'Unknown';
  return (
    <div>
      {paid.map(({ amount, currency, processorId }, index) => (
        <div key={processorId ?? index} title={processorId ?? undefined}>
          {amount === null || currency === null ? 'Unknown' : <Money amount={amount} currency={currency} by="code" />}
        </div>
      ))}
    </div>
  );
}

/** The sum of the received amounts; null when an amount is missing or unknown, or when the currencies differ. */
export function amountIn(paid: Review['paid']): { amount: number; currency: string } | null {
  const currency = paid[0]?.currency ?? null;
  const amounts = paid.flatMap((part) => (part.currency === currency && part.amount !== null ? [part.amount] : []));
  if (currency === null || amounts.length < paid.length) return null;
  return { amount: amounts.reduce((sum, amount) => sum + amount, 0), currency };
}
