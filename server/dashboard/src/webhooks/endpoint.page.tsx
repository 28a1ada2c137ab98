import { Group, Paper, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { Delivery, WebhookEndpoint } from '@tillhook/sdk/session';
import { type ReactNode, Suspense } from 'react';
import { lazily } from '../app/load-script.tsx';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { deliveryColumns } from '../deliveries/delivery-columns.tsx';
import { Columns } from '../kit/columns.tsx';
import { Copy } from '../kit/copy.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Empty } from '../kit/empty.tsx';
import { FieldList } from '../kit/field-list.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { ReadOnlyNote, useMayCall } from '../kit/may-call.tsx';
import { inMs } from '../kit/milliseconds.ts';
import { ExactMoment } from '../kit/moment.tsx';
import { Page } from '../kit/page.tsx';
import { LinesSkeleton } from '../kit/page-skeleton.tsx';
import { Section } from '../kit/section.tsx';
import { TableSkeleton } from '../kit/table-skeleton.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { EndpointStatus } from './endpoint-status.tsx';
import { HealthStrip, healthWords } from './health-strip.tsx';
import { InactiveNote } from './inactive-note.tsx';
import { LatestFailure } from './latest-failure.tsx';
import { shortAddress } from './short-address.ts';
import { TestEvent } from './test-event.tsx';
import { sumOf, useHealth } from './use-health.ts';
import { useLatestDeliveries } from './use-latest-deliveries.ts';

const SecretTab = lazily(async () => (await import('./secret-tab.tsx')).SecretTab);
const CodeTab = lazily(async () => (await import('./code-tab.tsx')).CodeTab);

export function EndpointPage(): ReactNode {
  const { id } = useParams({ from: '/$mode/webhooks/$id' });
  const mode = useMode();
  const endpoint = useRead({
    key: ['webhooks', id],
    read: (tillhook, options) => tillhook.webhookEndpoints.get(id, options),
    isLive: true,
  });
  return (
    <Page
      title={endpoint.data ? shortAddress(endpoint.data.url) : 'Webhook endpoint'}
      beside={endpoint.data && <StatusOf endpoint={endpoint.data} />}
      back={
        <AnchorLink to="/$mode/webhooks" params={{ mode }}>
          Webhooks
        </AnchorLink>
      }
      actions={endpoint.data && <EndpointActions key={id} endpoint={endpoint.data} />}
    >
      <Loaded read={endpoint}>{(value) => <Endpoint key={value.id} endpoint={value} />}</Loaded>
    </Page>
  );
}

function Endpoint({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  return (
    <Stack gap="md">
      <ReadOnlyNote what="change this endpoint, send to it or see its secret" operations={['updateWebhookEndpoint']} />
      <InactiveNote endpoint={endpoint} />
      <Columns
        main={
          <>
            <EndpointHealthPanel endpointId={endpoint.id} />
            <EndpointTabs endpoint={endpoint} />
          </>
        }
        side={<EndpointFields endpoint={endpoint} />}
      />
    </Stack>
  );
}

function EndpointFields({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const { id, url, events, successCount, failureCount, lastDeliveredAt, createdAt } = endpoint;
  return (
    <Section title="Details">
      <FieldList
        fields={[
          ['Address', <Copy key="address" value={url} what="address" />],
          ['Events', events === '*' ? 'All events' : events.replaceAll(',', ', ')],
          ['Deliveries', `${successCount} delivered, ${failureCount} failed since it was created`],
          ['Last delivered', lastDeliveredAt === null ? 'Never' : <ExactMoment key="last" at={lastDeliveredAt} />],
          ['Created', <ExactMoment key="created" at={createdAt} />],
          ['Endpoint ID', <Copy key="id" value={id} what="endpoint ID" />],
        ]}
      />
    </Section>
  );
}

function StatusOf({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const isFailing = useHealth()?.get(endpoint.id)?.isFailing;
  return <EndpointStatus endpoint={endpoint} isFailing={isFailing} />;
}

function EndpointTabs({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const { tab = 'deliveries' } = useSearch({ from: '/$mode/webhooks/$id' });
  const navigate = useNavigate({ from: '/$mode/webhooks/$id' });
  const mayChange = useMayCall('sendTestEvent');
  return (
    <Tabs
      value={tab}
      onChange={(chosen) => void navigate({ search: { tab: chosen as typeof tab }, replace: true })}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        <Tabs.Tab value="deliveries">Deliveries</Tabs.Tab>
        <Tabs.Tab value="secret">Secret</Tabs.Tab>
        <Tabs.Tab value="code">Code</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="deliveries">
        <Stack gap="md">
          {mayChange && <TestEvent endpointId={endpoint.id} />}
          <EndpointDeliveries endpoint={endpoint} />
        </Stack>
      </Tabs.Panel>
      <Suspense fallback={<LinesSkeleton lines={4} />}>
        <Tabs.Panel value="secret">
          <SecretTab endpoint={endpoint} />
        </Tabs.Panel>
        <Tabs.Panel value="code">
          <CodeTab endpoint={endpoint} />
        </Tabs.Panel>
      </Suspense>
    </Tabs>
  );
}

export function EndpointDeliveries({ endpoint: { id: webhookId } }: { endpoint: WebhookEndpoint }): ReactNode {
  const mode = useMode();
  const deliveries = useLatestDeliveries(webhookId);
  return (
    <>
      <Group justify="space-between">
        <Title order={2}>Latest deliveries</Title>
        <AnchorLink to="/$mode/deliveries" params={{ mode }} search={{ webhookId }}>
          All deliveries of this endpoint
        </AnchorLink>
      </Group>
      <Loaded read={deliveries} skeleton={<TableSkeleton columns={columns} count={4} />}>
        {({ deliveries: rows }) =>
          rows.length > 0 ? (
            <DataTable
              label="Latest deliveries"
              columns={columns}
              rows={rows}
              keyOf={({ id }) => id}
              marksNew
              isOneLine
            />
          ) : (
            <Empty title="No deliveries yet">Send a test event to see it here, with the response.</Empty>
          )
        }
      </Loaded>
    </>
  );
}

const { event, state, reference, created } = deliveryColumns;
const columns: Column<Delivery>[] = [
  { ...event, onPhone: 'lead' },
  { ...state, onPhone: 'state' },
  { ...reference, onPhone: 'who' },
  { ...created, onPhone: 'when' },
];

export function EndpointHealthPanel({ endpointId }: { endpointId: string }): ReactNode {
  const known = useHealth();
  const health = known?.get(endpointId);
  // The skeleton is as high as the loaded panel, so that the deliveries below do not move.
  if (!known) return <Skeleton h={150} aria-busy />;
  if (!health) return null;
  const { delivered, failed, retrying } = sumOf(health.hours);
  const times = health.hours.flatMap(({ median, p95 }) => (median === null || p95 === null ? [] : [{ median, p95 }]));
  const latest = times.at(-1);
  return (
    <Paper p="md">
      <Stack gap="xs">
        <Stack gap={4}>
          <Text size="sm">
            <b>{healthWords(health)}.</b> {`${delivered} delivered, ${retrying} retrying, ${failed} failed.`}
          </Text>
          {health.isFailing && <LatestFailure endpointId={endpointId} />}
          {latest && (
            <Text size="sm" c="dimmed">
              {`Response time of the latest hour: median ${inMs(latest.median)}, p95 ${inMs(latest.p95)}. Slowest hour: ${inMs(Math.max(...times.map(({ p95 }) => p95)))}.`}
            </Text>
          )}
        </Stack>
        <HealthStrip health={health} isLarge />
        <Group justify="space-between" aria-hidden>
          <Text size="xs" c="dimmed">
            24 hours ago
          </Text>
          <Text size="xs" c="dimmed">
            now
          </Text>
        </Group>
      </Stack>
    </Paper>
  );
}
