import { Button, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { TimeAdvance } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { Failure } from '../kit/failure.tsx';
import { useFieldErrors } from '../kit/field-problems.ts';
import { AnchorLink } from '../kit/links.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';

const hour = 3600;
const day = 24 * hour;
const maxDays = 30;

const units = [
  { value: '60', label: 'minutes' },
  { value: String(hour), label: 'hours' },
  { value: String(day), label: 'days' },
];

const secondsOf = ({ number, unit }: { number: string; unit: string }) => Math.round(Number(number) * Number(unit));

function problemOf(seconds: number): string | null {
  if (!Number.isFinite(seconds)) return 'Type a number.';
  if (seconds < 1) return 'Type a number above 0.';
  return seconds > maxDays * day ? `At most ${maxDays} days can pass at once.` : null;
}

export function AdvanceTime(): ReactNode {
  const [advance, setAdvance] = useState<TimeAdvance | null>(null);
  const form = useForm({
    initialValues: { number: '2', unit: String(hour) },
    validate: { number: (_, values) => problemOf(secondsOf(values)) },
  });
  const advancing = useServiceMutation({
    mutate: ({ test }, seconds: number, options) => test.advanceTime({ seconds }, options),
    changes: ['payments', 'transfers', 'wallets', 'webhooks', 'deliveries', 'events', 'apiKeys', 'statistics'],
    onAnswer: setAdvance,
  });
  useFieldErrors(form, advancing.error);
  const letPass = (seconds: number) => {
    setAdvance(null);
    advancing.mutate(seconds);
  };
  return (
    <form onSubmit={form.onSubmit((values) => letPass(secondsOf(values)))} noValidate>
      <Stack gap="sm">
        <Title order={3}>Advance time</Title>
        <Text size="sm" c="dimmed">
          Checkouts expire, deliveries are tried again, transfers and refunds settle, old secrets and keys end. What has
          happened keeps its time.
        </Text>
        <Group gap="xs">
          <Button variant="default" loading={advancing.isBusy} onClick={() => letPass(hour)}>
            1 hour
          </Button>
          <Button variant="default" loading={advancing.isBusy} onClick={() => letPass(day)}>
            1 day
          </Button>
        </Group>
        <Group gap="xs" align="flex-start">
          <TextInput
            {...form.getInputProps('number')}
            label="Or as much as"
            inputMode="decimal"
            autoComplete="off"
            required
            withAsterisk={false}
            maxLength={9}
          />
          <NativeSelect {...form.getInputProps('unit')} label="Unit" data={units} />
          <Button type="submit" loading={advancing.isBusy} mt={22}>
            Advance time
          </Button>
        </Group>
        {advancing.error && (
          <Failure error={advancing.error} onTryAgain={advancing.isLost ? advancing.again : undefined} />
        )}
        {advance && <MovedDeadlines advance={advance} />}
      </Stack>
    </form>
  );
}

const params = { mode: 'test' } as const;

/** The keys are in the order of the response's fields. */
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
  paymentLinks: {
    one: 'the end of 1 payment link',
    many: 'the end of # payment links',
    link: (
      <AnchorLink to="/$mode/payment-links" params={params}>
        Payment links
      </AnchorLink>
    ),
  },
  apiKeys: { one: 'the end of 1 rolled key', many: 'the end of # rolled keys', link: 'above' },
};

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
