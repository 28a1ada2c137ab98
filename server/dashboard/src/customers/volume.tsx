import type { CustomerVolume } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { formatAmount } from '../kit/amount.ts';
import { Money } from '../kit/money.tsx';

interface VolumeProps {
  volumes: readonly CustomerVolume[];
  of: 'amount' | 'amountRefunded';
}

/** One amount for each currency; nothing if there is none. */
export function Volume({ volumes, of }: VolumeProps): ReactNode {
  return paidIn({ volumes, of }).map(({ currency, ...amounts }) => (
    <div key={currency}>
      <Money amount={amounts[of]} currency={currency} />
    </div>
  ));
}

/** The amount in the first currency, and how many other currencies there are. */
export function ShortVolume({ volumes, of }: VolumeProps): ReactNode {
  const all = paidIn({ volumes, of });
  const [first] = all;
  if (!first) return null;
  if (all.length === 1) return <Money amount={first[of]} currency={first.currency} />;
  const title = all.map(({ currency, ...amounts }) => formatAmount(amounts[of], currency)).join(', ');
  return (
    <span title={title}>
      <Money amount={first[of]} currency={first.currency} /> +{all.length - 1}
    </span>
  );
}

function paidIn({ volumes, of }: VolumeProps): CustomerVolume[] {
  return volumes.filter((volume) => volume[of] > 0);
}
