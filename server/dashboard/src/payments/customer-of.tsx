import { Group, Text } from '@mantine/core';
import type { Payment } from '@tillhook/sdk/session';
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
  const query = { customerEmail, limit: 1 };
  const { data } = useRead({
    key: ['payments', query],
    read: (tillhook, options) => tillhook.payments.list(query, options),
  });
  if (!data) return null;
  const others = data.total - 1;
  if (others < 1) {
    return (
      <Text size="sm" c="dimmed">
        No other payments
      </Text>
    );
  }
  return (
    <AnchorLink to="/$mode/payments" params={{ mode }} search={{ customerEmail }}>
      {plural(others, { one: '1 other payment', other: `${others} other payments` })}
    </AnchorLink>
  );
}
