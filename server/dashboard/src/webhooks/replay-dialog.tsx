import { Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReplayRequest, WebhookEndpoint } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { Callout } from '../kit/callout.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Failure } from '../kit/failure.tsx';
import { fromLocal, inZone, toLocal } from '../kit/local-moment.ts';
import { locale } from '../kit/locale.ts';
import { plural } from '../kit/plural.ts';
import { useServiceMutation } from '../kit/use-service-mutation.ts';
import { shortAddress } from './short-address.ts';

interface ReplayDialogProps {
  endpoints: readonly WebhookEndpoint[];
  chosen: string | undefined;
  onClose: () => void;
}

interface Replay {
  id: string;
  body: ReplayRequest;
}

const statuses = ['failed', 'skipped'] as const;

/** The service sends at most 10,000 events in one call, and says whether more are left. */
export function ReplayDialog({ endpoints, chosen, onClose }: ReplayDialogProps): ReactNode {
  const [count, setCount] = useState<number | null>(null);
  const [left, setLeft] = useState<Replay | null>(null);
  const form = useReplayForm(endpoints, chosen);
  const replaying = useServiceMutation({
    mutate: (tillhook, { id, body }: Replay, { idempotencyKey }) =>
      tillhook.webhookEndpoints.replay(id, body, { idempotencyKey }),
    changes: ['deliveries', 'events', 'webhooks'],
    onAnswer: ({ data }, sent) => {
      setCount((before) => (before ?? 0) + data.count);
      setLeft(data.hasMore ? sent : null);
    },
  });
  const { id, since, statuses: missed } = form.getValues();
  const typed: Replay = { id, body: { since: fromLocal(since), statuses: missed } };
  // When the user changes the form, the remaining events of the previous replay are not part of the new replay.
  const isRest = left !== null && JSON.stringify(left) === JSON.stringify(typed);
  const isActive = endpoints.find((endpoint) => endpoint.id === id)?.isActive ?? false;
  const submit = form.onSubmit(() => {
    setCount(null);
    replaying.mutate(typed);
  });
  return (
    <Dialog opened onClose={onClose} title="Replay missed events" size="lg">
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm">
            Each event that failed or was skipped is resent, oldest first, with the same webhook-id. Events that were
            already resent and test events are left out.
          </Text>
          <ReplayFields form={form} endpoints={endpoints} />
          {!isActive && (
            <Callout tone="warn" title="This endpoint is not active">
              Nothing is sent to it. Resume it on its page first.
            </Callout>
          )}
          {replaying.error && (
            <Failure error={replaying.error} onTryAgain={replaying.again}>
              {replaying.isLost && 'It may have started. If you try again, nothing is sent twice.'}
            </Failure>
          )}
          {count !== null && <Result count={count} hasMore={isRest} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {count === null ? 'Cancel' : 'Close'}
            </Button>
            <Button type="submit" loading={replaying.isBusy} disabled={!isActive}>
              {isRest ? 'Replay the rest' : 'Replay'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function useReplayForm(endpoints: readonly WebhookEndpoint[], chosen: string | undefined) {
  return useForm({
    initialValues: {
      // An inactive endpoint accepts no replay, so the dialog preselects an active endpoint.
      id:
        (endpoints.find(({ id }) => id === chosen) ?? endpoints.find(({ isActive }) => isActive) ?? endpoints[0])?.id ??
        '',
      since: hoursAgo(24),
      statuses: [...statuses] as (typeof statuses)[number][],
    },
    validate: {
      since: (since) => (fromLocal(since) ? null : 'Choose a time.'),
      statuses: (chosenStatuses) => (chosenStatuses.length > 0 ? null : 'Choose at least one.'),
    },
  });
}

interface FieldsProps {
  form: ReturnType<typeof useReplayForm>;
  endpoints: readonly WebhookEndpoint[];
}

function ReplayFields({ form, endpoints }: FieldsProps): ReactNode {
  return (
    <>
      <NativeSelect
        label="Endpoint"
        data={endpoints.map(({ id, url }) => ({ value: id, label: shortAddress(url) }))}
        {...form.getInputProps('id')}
      />
      <Stack gap={6}>
        <TextInput
          label={inZone('Since')}
          type="datetime-local"
          required
          withAsterisk={false}
          {...form.getInputProps('since')}
        />
        <Group gap={6}>
          {spans.map(({ label, hours }) => (
            <Button
              key={label}
              size="compact-xs"
              variant="default"
              onClick={() => form.setFieldValue('since', hoursAgo(hours))}
            >
              {label}
            </Button>
          ))}
        </Group>
      </Stack>
      <Checkbox.Group label="Deliveries" {...form.getInputProps('statuses')}>
        <Stack gap={6} mt={6}>
          <Checkbox value="failed" label="Failed: all attempts were made" />
          <Checkbox value="skipped" label="Skipped: the endpoint was not active" />
        </Stack>
      </Checkbox.Group>
    </>
  );
}

const spans = [
  { label: 'Last hour', hours: 1 },
  { label: 'Last day', hours: 24 },
  { label: 'Last 7 days', hours: 24 * 7 },
  { label: 'Last 30 days', hours: 24 * 30 },
];

function hoursAgo(hours: number): string {
  return toLocal(new Date(Date.now() - hours * 3_600_000).toISOString());
}

function Result({ count, hasMore }: { count: number; hasMore: boolean }): ReactNode {
  const written = new Intl.NumberFormat(locale()).format(count);
  const title = plural(count, { one: `${written} delivery was resent`, other: `${written} deliveries were resent` });
  if (hasMore) {
    return (
      <Callout tone="good" title={title} isAnswer>
        Some are left. Replay the rest with the button below.
      </Callout>
    );
  }
  if (count > 0) return <Callout tone="good" title={`${title}.`} isAnswer />;
  return (
    <Callout tone="plain" title="Nothing was missed in this period" isAnswer>
      It was already resent, or it is still being retried, which needs no replay.
    </Callout>
  );
}
