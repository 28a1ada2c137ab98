import { Button, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { TimeAdvance } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { Failure } from '../kit/failure.tsx';
import { useFieldErrors } from '../kit/field-problems.ts';
import { useAsk } from '../kit/use-ask.ts';
import { MovedDeadlines } from './moved-deadlines.tsx';

const hour = 3600;
const day = 24 * hour;
/** The service lets no more time pass in one call. */
const mostDays = 30;

const units = [
  { value: '60', label: 'minutes' },
  { value: String(hour), label: 'hours' },
  { value: String(day), label: 'days' },
];

const secondsOf = ({ number, unit }: { number: string; unit: string }) => Math.round(Number(number) * Number(unit));

function problemOf(seconds: number): string | null {
  if (!Number.isFinite(seconds)) return 'Type a number.';
  if (seconds < 1) return 'Type a number above 0.';
  return seconds > mostDays * day ? `At most ${mostDays} days can pass at once.` : null;
}

/** Brings deadlines of test mode nearer, so that a developer does not have to wait for them. */
export function AdvanceTime(): ReactNode {
  const [advance, setAdvance] = useState<TimeAdvance | null>(null);
  const form = useForm({
    initialValues: { number: '2', unit: String(hour) },
    validate: { number: (_, values) => problemOf(secondsOf(values)) },
  });
  const advancing = useAsk({
    ask: ({ test }, seconds: number, options) => test.advanceTime({ seconds }, options),
    changes: ['payments', 'transfers', 'wallets', 'webhooks', 'deliveries', 'events', 'apiKeys', 'statistics'],
    onAnswer: setAdvance,
  });
  useFieldErrors(form, advancing.error);
  const letPass = (seconds: number) => {
    setAdvance(null);
    advancing.ask(seconds);
  };
  return (
    <form onSubmit={form.onSubmit((values) => letPass(secondsOf(values)))} noValidate>
      <Stack gap="sm">
        <Title order={3}>Let time pass</Title>
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
            Let it pass
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
