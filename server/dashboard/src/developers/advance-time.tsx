import { Button, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { TimeAdvance } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { Failure } from '../kit/failure.tsx';
import { useFieldErrors } from '../kit/field-problems.ts';
import { AnchorLink } from '../kit/links.tsx';
import { plural } from '../kit/plural.ts';
import { useServiceMutation } from '../kit/use-service-mutation.ts';

const hour = 3600;
const day = 24 * hour;
const maxDays = 30;

const units = [
  { value: '60', label: 'Minutes' },
  { value: String(hour), label: 'Hours' },
  { value: String(day), label: 'Days' },
];

const secondsOf = ({ number, unit }: { number: string; unit: string }) => Math.round(Number(number) * Number(unit));

function problemOf(seconds: number): string | null {
  if (!Number.isFinite(seconds)) return 'Enter a number.';
  if (seconds < 1) return 'Enter a number greater than 0.';
  return seconds > maxDays * day ? `You can advance by at most ${maxDays} days at a time.` : null;
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
          Checkouts expire, deliveries are retried, transfers and refunds settle, old secrets and keys expire. The times
          of past events do not change.
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
            label="Or by"
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
const places: Readonly<Record<keyof TimeAdvance['moved'], { words: (count: number) => string; link: ReactNode }>> = {
  checkouts: {
    words: (count) => plural(count, { one: 'The expiry of 1 checkout', other: `The expiry of ${count} checkouts` }),
    link: (
      <AnchorLink to="/$mode/payments" params={params}>
        Payments
      </AnchorLink>
    ),
  },
  deliveries: {
    words: (count) =>
      plural(count, { one: 'The next attempt of 1 delivery', other: `The next attempt of ${count} deliveries` }),
    link: (
      <AnchorLink to="/$mode/deliveries" params={params}>
        Deliveries
      </AnchorLink>
    ),
  },
  transfers: {
    words: (count) =>
      plural(count, { one: 'The next check of 1 transfer', other: `The next check of ${count} transfers` }),
    link: (
      <AnchorLink to="/$mode/transfers" params={params}>
        Transfers
      </AnchorLink>
    ),
  },
  refunds: {
    words: (count) => plural(count, { one: 'The next check of 1 refund', other: `The next check of ${count} refunds` }),
    link: (
      <AnchorLink to="/$mode/payments" params={params}>
        Payments
      </AnchorLink>
    ),
  },
  rotations: {
    words: (count) => plural(count, { one: 'The rotation of 1 secret', other: `The rotation of ${count} secrets` }),
    link: (
      <AnchorLink to="/$mode/webhooks" params={params}>
        Webhooks
      </AnchorLink>
    ),
  },
  paymentLinks: {
    words: (count) => plural(count, { one: 'The end of 1 payment link', other: `The end of ${count} payment links` }),
    link: (
      <AnchorLink to="/$mode/payment-links" params={params}>
        Payment links
      </AnchorLink>
    ),
  },
  apiKeys: {
    words: (count) => plural(count, { one: 'The end of 1 rolled key', other: `The end of ${count} rolled keys` }),
    link: 'API keys',
  },
};

export function MovedDeadlines({ advance: { moved } }: { advance: TimeAdvance }): ReactNode {
  const names = (Object.keys(places) as (keyof typeof places)[]).filter((name) => moved[name] > 0);
  return (
    <Stack gap={4} role="status">
      <Text size="sm">{names.length > 0 ? 'Moved closer, or already done:' : 'Nothing was due.'}</Text>
      {names.map((name) => {
        const { words, link } = places[name];
        return (
          <Text key={name} size="sm">
            {words(moved[name])}: {link}
          </Text>
        );
      })}
    </Stack>
  );
}
