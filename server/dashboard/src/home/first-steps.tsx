import { Accordion, Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import { lazily, lazilyAtFirst } from '../app/load-script.tsx';
import { useRead } from '../app/use-read.ts';
import { CircleCheck, CircleDashed } from '../kit/icons.tsx';
import { LinesSkeleton } from '../kit/page-skeleton.tsx';
import { Section } from '../kit/section.tsx';
import type { KnownSecret } from './create-endpoint-step.tsx';
import classes from './first-steps.module.css';
import { loadedStep } from './load-scripts.ts';
import type { FirstStepsState } from './use-first-steps.ts';

// All steps together are as large as the rest of the page, so each script is loaded when its step is opened.
const CreateEndpointStep = lazilyAtFirst(
  async () => (await import('./create-endpoint-step.tsx')).CreateEndpointStep,
  loadedStep,
);
const TestEventStep = lazily(async () => (await import('./test-event-step.tsx')).TestEventStep);
const PayStep = lazily(async () => (await import('./pay-step.tsx')).PayStep);
const VerifyStep = lazily(async () => (await import('./verify-step.tsx')).VerifyStep);

export function FirstSteps({ taken, onVerified, onHide }: FirstStepsState): ReactNode {
  const [known, setKnown] = useState<KnownSecret | null>(null);
  const endpoints = useRead({
    key: ['webhooks', 'first-steps'],
    read: (tillhook, options) => tillhook.webhookEndpoints.list({}, options),
    // A new account has no endpoints, so its first page does not request them.
    isEnabled: taken.endpointCreated || known !== null,
  });
  const endpoint = endpoints.data?.webhooks.find(({ id }) => !known || id === known.endpointId);
  const steps = [
    { name: 'endpoint', title: 'Create an endpoint', isTaken: taken.endpointCreated },
    { name: 'event', title: 'Send a test event', isTaken: taken.testEventSent },
    { name: 'pay', title: 'Pay a checkout', isTaken: taken.paymentCompleted },
    { name: 'verify', title: 'Verify a signature', isTaken: taken.signatureVerified },
  ];
  const done = steps.filter(({ isTaken }) => isTaken).length;
  // A finished step stays open, so that the user can read its result.
  const [opened, setOpened] = useState(() => steps.find(({ isTaken }) => !isTaken)?.name ?? null);
  const content: Record<string, ReactNode> = {
    endpoint: <CreateEndpointStep endpoint={endpoint} known={known} onKnown={setKnown} />,
    event: <TestEventStep endpoint={endpoint} />,
    pay: <PayStep />,
    verify: <VerifyStep endpoint={endpoint} known={known} onKnown={setKnown} onVerified={onVerified} />,
  };
  return (
    <Section
      title="First steps"
      about={
        done === 4
          ? 'All done: you received a payment, and your program verified its webhook.'
          : 'Follow these steps to receive a test payment and verify its webhook. Each step is checked when it is done.'
      }
      actions={
        <Group gap="sm">
          <Text size="sm" c="dimmed" role="status">
            {done} of 4 done
          </Text>
          <Button size="xs" variant="default" onClick={onHide}>
            Hide
          </Button>
        </Group>
      }
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
            <Accordion.Control icon={<Tick isTaken={isTaken} />}>
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
    </Section>
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
        Next: {step.title.charAt(0).toLowerCase() + step.title.slice(1)}
      </Button>
    </Group>
  );
}

function Tick({ isTaken }: { isTaken: boolean }): ReactNode {
  const Icon = isTaken ? CircleCheck : CircleDashed;
  return (
    <Icon
      size={20}
      className={classes.tick}
      data-taken={isTaken || undefined}
      role="img"
      aria-label={isTaken ? 'Done' : 'To do'}
    />
  );
}
