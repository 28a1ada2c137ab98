import { Stack, Text } from '@mantine/core';
import type { TimeAdvance } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { AnchorLink } from '../kit/links.tsx';

const params = { mode: 'test' } as const;

/** What each deadline belongs to, in the order in which the answer has them, with a link to where its effect is seen. */
const places: Readonly<Record<keyof TimeAdvance['moved'], { one: string; many: string; link: ReactNode }>> = {
  checkouts: {
    one: 'the expiry of 1 checkout',
    many: 'the expiry of # checkouts',
    link: (
      <AnchorLink to="/$mode/payments" params={params}>
        Payments
      </AnchorLink>
    ),
  },
  deliveries: {
    one: 'the next attempt of 1 delivery',
    many: 'the next attempt of # deliveries',
    link: (
      <AnchorLink to="/$mode/deliveries" params={params}>
        Deliveries
      </AnchorLink>
    ),
  },
  transfers: {
    one: 'the next check of 1 transfer',
    many: 'the next check of # transfers',
    link: (
      <AnchorLink to="/$mode/transfers" params={params}>
        Transfers
      </AnchorLink>
    ),
  },
  refunds: {
    one: 'the next check of 1 refund',
    many: 'the next check of # refunds',
    link: (
      <AnchorLink to="/$mode/payments" params={params}>
        Payments
      </AnchorLink>
    ),
  },
  rotations: {
    one: 'the rotation of 1 secret',
    many: 'the rotation of # secrets',
    link: (
      <AnchorLink to="/$mode/webhooks" params={params}>
        Webhooks
      </AnchorLink>
    ),
  },
  apiKeys: { one: 'the end of 1 rolled key', many: 'the end of # rolled keys', link: 'above' },
};

/** Says which deadlines came nearer. */
export function MovedDeadlines({ advance: { moved } }: { advance: TimeAdvance }): ReactNode {
  const names = (Object.keys(places) as (keyof typeof places)[]).filter((name) => moved[name] > 0);
  return (
    <Stack gap={4} role="status">
      <Text size="sm">{names.length > 0 ? 'Nearer now, and done if it was due:' : 'No deadline was waiting.'}</Text>
      {names.map((name) => {
        const { one, many, link } = places[name];
        return (
          <Text key={name} size="sm">
            {moved[name] === 1 ? one : many.replace('#', String(moved[name]))}, see {link}
          </Text>
        );
      })}
    </Stack>
  );
}
