import type { Delivery } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import type { Column } from '../kit/data-table.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { ComingMoment, Moment } from '../kit/moment.tsx';
import { shortAddress } from '../webhooks/short-address.ts';
import { DeliveryState, StateInLine } from './delivery-state.tsx';

type DeliveryColumn = Column<Delivery>;

export const deliveryColumns = {
  event: { title: 'Event', cell: (delivery) => <DeliveryLink {...delivery}>{delivery.event}</DeliveryLink> },
  status: { title: 'Status', isNarrow: true, cell: (delivery) => <DeliveryState {...delivery} /> },
  /** For lists, in which each row is one line. */
  state: { title: 'Status', isNarrow: true, cell: (delivery) => <StateInLine {...delivery} /> },
  reference: { title: 'Reference', cell: ({ reference }) => reference !== null && <bdi>{reference}</bdi> },
  endpoint: { title: 'Endpoint', cell: ({ url }) => <bdi>{shortAddress(url)}</bdi> },
  /** For tables without the column `event`: the URL of the endpoint links to the delivery. */
  linkedEndpoint: {
    title: 'Endpoint',
    cell: (delivery) => <DeliveryLink {...delivery}>{shortAddress(delivery.url)}</DeliveryLink>,
  },
  attempts: { title: 'Attempts', isNumber: true, isNarrow: true, cell: ({ attemptCount }) => attemptCount },
  nextAttempt: {
    title: 'Next attempt',
    isNarrow: true,
    cell: ({ nextAttemptAt }) => nextAttemptAt && <ComingMoment at={nextAttemptAt} />,
  },
  created: { title: 'Created', isNarrow: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
} satisfies Record<string, DeliveryColumn>;

function DeliveryLink({ id, mode, children }: Delivery & { children: ReactNode }): ReactNode {
  return (
    <AnchorLink to="/$mode/deliveries/$id" params={{ mode, id }}>
      {children}
    </AnchorLink>
  );
}
