import { Button, Group, Stack, Tabs, Text, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import type { DeliveryDetail } from '@tillhook/sdk/session';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Callout } from '../kit/callout.tsx';
import { CodeBlock } from '../kit/code-block.tsx';
import { languageOf } from '../kit/languages.ts';
import { receiverFiles } from '../kit/receiver-files.ts';
import { DeliveryRequest } from './delivery-request.tsx';
import { type Signed, signatureCode } from './signature-code.ts';
import { checkSignature, signatureOf, type Verdict } from './verdict.ts';

interface VerifyDeliveryProps {
  delivery: DeliveryDetail;
  secret: string;
  onVerified: () => void;
}

export function VerifyDelivery({ delivery, secret, onVerified }: VerifyDeliveryProps): ReactNode {
  const { request, id, event } = delivery;
  const header = (name: string) =>
    Object.entries(request.headers).find(([given]) => given.toLowerCase() === name)?.[1] ?? '';
  const signed = { id: header('webhook-id'), timestamp: header('webhook-timestamp'), body: request.body, secret };
  return (
    <Stack gap="md">
      <Text size="sm">
        This {event} was sent to you. Sign it with the code below and paste the output. Your receiver does the same and
        compares the result with the header webhook-signature.
      </Text>
      <DeliveryRequest id={id} signedBy="with the code below" />
      <Languages signed={signed} />
      <Answer signed={signed} onVerified={onVerified} />
    </Stack>
  );
}

function Languages({ signed }: { signed: Signed }): ReactNode {
  const [chosen, choose] = useLocalStorage({ key: 'tillhook-language', defaultValue: 'Node' });
  const samples = signatureCode(signed, receiverFiles);
  const language = samples.find((sample) => sample.language === chosen)?.language ?? 'Node';
  return (
    <Tabs value={language} onChange={(value) => choose(value ?? 'Node')} variant="outline" keepMounted={false}>
      <Tabs.List aria-label="Language">
        {samples.map((sample) => (
          <Tabs.Tab key={sample.language} value={sample.language}>
            {sample.language}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {samples.map(({ language: name, run, code }) => (
        <Tabs.Panel key={name} value={name} pt="sm">
          <Stack gap="xs">
            <Text size="sm" c="dimmed">
              {run}
            </Text>
            <CodeBlock text={code} what={`code in ${name}`} language={languageOf(name)} />
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function Answer({ signed, onVerified }: { signed: Signed; onVerified: () => void }): ReactNode {
  const [printed, setPrinted] = useState('');
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const check = async (event: FormEvent) => {
    event.preventDefault();
    const found = await checkSignature(printed, signed);
    setVerdict(found);
    if (found.isRight) onVerified();
  };
  const compute = async () => {
    setPrinted(await signatureOf(signed));
    setVerdict({
      isRight: true,
      words: 'This browser computed the signature that we sent. Your program computes it in the same way.',
    });
    onVerified();
  };
  return (
    <form onSubmit={(event) => void check(event)}>
      <Stack gap="sm">
        <Group gap="xs" align="flex-end">
          <TextInput
            label="Output of your code"
            placeholder="v1,…"
            required
            withAsterisk={false}
            maxLength={500}
            miw={300}
            flex={1}
            maw={560}
            value={printed}
            onChange={({ currentTarget }) => setPrinted(currentTarget.value)}
          />
          <Button type="submit">Check</Button>
          <Button variant="default" onClick={() => void compute()}>
            Compute it in this browser
          </Button>
        </Group>
        {verdict && (
          <Callout
            isAnswer
            tone={verdict.isRight ? 'good' : 'bad'}
            title={verdict.isRight ? 'Correct' : 'Not correct yet'}
          >
            {verdict.words}
          </Callout>
        )}
      </Stack>
    </form>
  );
}
