import { Paper, Stack, Tabs } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { WebhookEndpoint } from '@tillhook/sdk/session';
import { type ReactNode, Suspense } from 'react';
import { lazily } from '../app/load-script.tsx';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { Copy } from '../kit/copy.tsx';
import { Facts } from '../kit/facts.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { ReadOnlyNote, useMayChange } from '../kit/may-change.tsx';
import { ExactMoment } from '../kit/moment.tsx';
import { Page } from '../kit/page.tsx';
import { LinesSkeleton } from '../kit/page-skeleton.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { EndpointDeliveries } from './endpoint-deliveries.tsx';
import { EndpointHealthPanel } from './endpoint-health.tsx';
import { EndpointStatus } from './endpoint-status.tsx';
import { InactiveNote } from './inactive-note.tsx';
import { TestEvent } from './test-event.tsx';
import { useHealth } from './use-health.ts';

const SecretTab = lazily(async () => (await import('./secret-tab.tsx')).SecretTab);
const CodeTab = lazily(async () => (await import('./code-tab.tsx')).CodeTab);

/** Shows one endpoint: its health, its secret, and code that verifies its deliveries. */
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
      title="Webhook endpoint"
      windowTitle={endpoint.data ? `${endpoint.data.url} · Webhooks` : 'Webhooks'}
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
  const { id, url, events, successCount, failureCount, lastDeliveredAt, createdAt } = endpoint;
  const isFailing = useHealth()?.get(id)?.isFailing;
  return (
    <Stack gap="md">
      <ReadOnlyNote what="change this endpoint, send it anything or see its secret" />
      <InactiveNote endpoint={endpoint} />
      <Paper p="md">
        <Facts
          facts={[
            ['Address', <Copy key="address" value={url} what="address" />],
            ['Status', <EndpointStatus key="status" endpoint={endpoint} isFailing={isFailing} />],
            ['Events', events === '*' ? 'every event' : events.replaceAll(',', ', ')],
            ['Delivered', successCount],
            ['Failed', failureCount],
            ['Last delivered', lastDeliveredAt === null ? 'never' : <ExactMoment key="last" at={lastDeliveredAt} />],
            ['Created', <ExactMoment key="created" at={createdAt} />],
            ['Endpoint id', <Copy key="id" value={id} what="endpoint id" />],
          ]}
        />
      </Paper>
      <EndpointHealthPanel endpointId={id} />
      <EndpointTabs endpoint={endpoint} />
    </Stack>
  );
}

function EndpointTabs({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const { tab = 'deliveries' } = useSearch({ from: '/$mode/webhooks/$id' });
  const navigate = useNavigate({ from: '/$mode/webhooks/$id' });
  const mayChange = useMayChange();
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
