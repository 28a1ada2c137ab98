import type { Overview } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { Declines } from './declines.tsx';
import { DeliveryFigures } from './delivery-figures.tsx';
import { PaymentFigures } from './payment-figures.tsx';

/** Shows the figures of the chosen days, compared with those of the time before. */
export function Figures({ overview }: { overview: Overview }): ReactNode {
  return (
    <>
      <PaymentFigures overview={overview} />
      <DeliveryFigures overview={overview} />
      <Declines overview={overview} />
    </>
  );
}
