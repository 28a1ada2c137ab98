import { Accordion, Button, Group, Stack, Title } from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import { lazily, lazilyAtFirst } from '../app/load-script.tsx';
import { useSession } from '../app/session.ts';
import { useRead } from '../app/use-read.ts';
import { Checklist, Tick } from '../kit/checklist.tsx';
import { LinesSkeleton } from '../kit/page-skeleton.tsx';
import type { KnownSecret } from './create-endpoint-step.tsx';
import classes from './first-steps.module.css';
import { loadedStep } from './load-scripts.ts';
import type { FirstStepsState } from './use-first-steps.ts';

// All steps together are as large as the rest of the page, so each script is loaded when its step is opened.
const PayStep = lazilyAtFirst(async () => (await import('./pay-step.tsx')).PayStep, loadedStep);
const KeyStep = lazily(async () => (await import('./key-step.tsx')).KeyStep);
const CreateEndpointStep = lazily(async () => (await import('./create-endpoint-step.tsx')).CreateEndpointStep);
const TestEventStep = lazily(async () => (await import('./test-event-step.tsx')).TestEventStep);
const VerifyStep = lazily(async () => (await import('./verify-step.tsx')).VerifyStep);
const LiveStep = lazily(async () => (await import('./live-step.tsx')).LiveStep);

export function FirstSteps({ taken, onVerified, onHide }: FirstStepsState): ReactNode {
  const { user, merchant } = useSession();
  const [known, setKnown] = useState<KnownSecret | null>(null);
  const endpoints = useRead({
    key: ['webhooks', 'first-steps'],
    read: (tillhook, options) => tillhook.webhookEndpoints.list({}, options),
    // A new account has no endpoints, so its first page does not request them.
    isEnabled: taken.endpointCreated || known !== null,
  });
  const endpoint = endpoints.data?.webhooks.find(({ id }) => !known || id === known.endpointId);
  const steps = [
    { name: 'pay', title: 'Make a test payment', isTaken: taken.paymentCompleted },
    { name: 'key', title: 'Create an API key', isTaken: taken.apiKeyCreated },
    { name: 'endpoint', title: 'Add an endpoint', isTaken: taken.endpointCreated },
    { name: 'event', title: 'See the webhook', isTaken: taken.testEventSent || taken.deliveryAccepted },
    { name: 'verify', title: 'Verify a signature', isTaken: taken.signatureVerified },
    { name: 'live', title: 'Go live', isTaken: taken.liveReady },
  ];
  const done = steps.filter(({ isTaken }) => isTaken).length;
  // A finished step stays open, so that the user can read its result.
  const [opened, setOpened] = useState(() => steps.find(({ isTaken }) => !isTaken)?.name ?? null);
  // After the first payment, Home begins with the figures, and the list with its title.
  const [isUnfolded, setIsUnfolded] = useState(!taken.paymentCompleted);
  const content: Record<string, ReactNode> = {
    pay: <PayStep email={user.email} currency={merchant.currency} />,
    key: <KeyStep isTaken={taken.apiKeyCreated} />,
    endpoint: <CreateEndpointStep endpoint={endpoint} known={known} onKnown={setKnown} />,
    event: <TestEventStep endpoint={endpoint} />,
    verify: <VerifyStep endpoint={endpoint} known={known} onKnown={setKnown} onVerified={onVerified} />,
    live: <LiveStep />,
  };
  return (
    <Checklist
      title={<Title order={2}>First steps</Title>}
      about={
        done === steps.length
          ? 'All done: you took a payment, your program verified its webhook, and live mode is set up.'
          : 'From a test payment in your browser to live mode. Each step is ticked when it is done.'
      }
      done={done}
      total={steps.length}
      isOpen={isUnfolded}
      onToggle={() => setIsUnfolded(!isUnfolded)}
      onHide={onHide}
    >
      <Accordion
        classNames={{ item: classes.step, control: classes.control }}
        value={opened}
        onChange={setOpened}
        variant="separated"
        order={3}
      >
        {steps.map(({ name, title, isTaken }, index) => (
          <Accordion.Item key={name} value={name}>
            <Accordion.Control icon={<Tick isDone={isTaken} />}>
              {index + 1}. {title}
            </Accordion.Control>
            <Accordion.Panel>
              <Stack gap="md" align="stretch">
                {opened === name && <Suspense fallback={<LinesSkeleton />}>{content[name]}</Suspense>}
                {isTaken && <Next step={steps[index + 1]} onOpen={setOpened} />}
              </Stack>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Checklist>
  );
}

interface NextProps {
  step: { name: string; title: string } | undefined;
  onOpen: (name: string) => void;
}

function Next({ step, onOpen }: NextProps): ReactNode {
  if (!step) return null;
  return (
    <Group>
      <Button variant="light" onClick={() => onOpen(step.name)}>
        {`Next: ${step.title}`}
      </Button>
    </Group>
  );
}
