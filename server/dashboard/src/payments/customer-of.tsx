import { Group } from '@mantine/core';
import type { Customer, Payment } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { Copy } from '../kit/copy.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { plural } from '../kit/plural.ts';
import { Section } from '../kit/section.tsx';

export function CustomerOf({ payment: { customerEmail } }: { payment: Payment }): ReactNode {
  return (
    <Section title="Customer">
      <Group gap="xs" justify="space-between">
        <Copy value={customerEmail} what="email">
          <bdi>{customerEmail}</bdi>
        </Copy>
        <OtherPayments customerEmail={customerEmail} />
      </Group>
    </Section>
  );
}

function OtherPayments({ customerEmail }: Pick<Payment, 'customerEmail'>): ReactNode {
  const mode = useMode();
  const query = { email: customerEmail, limit: 1 };
  const { data } = useRead({
    key: ['customers', query],
    read: (tillhook, options) => tillhook.customers.list(query, options),
  });
  const customer = data?.customers[0];
  if (!customer) return null;
  return (
    <AnchorLink to="/$mode/customers/$id" params={{ mode, id: customer.id }}>
      {othersIn(customer)}
    </AnchorLink>
  );
}

function othersIn({ payments }: Customer): string {
  const others = payments - 1;
  if (others < 1) return 'View customer';
  return plural(others, { one: '1 other payment', other: `${others} other payments` });
}
