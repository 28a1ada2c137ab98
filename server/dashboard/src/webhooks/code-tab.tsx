import { Anchor, Stack, Tabs, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import type { WebhookEndpoint } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { basePath } from '../app/base.ts';
import { CodeBlock } from '../kit/code-block.tsx';
import { languageOf } from '../kit/languages.ts';
import { receiverFiles } from '../kit/receiver-files.ts';
import { verifySamples } from './verify-samples.ts';

export function CodeTab({ endpoint: { url } }: { endpoint: WebhookEndpoint }): ReactNode {
  const [language, setLanguage] = useLocalStorage({ key: 'tillhook-language', defaultValue: 'TypeScript' });
  const samples = verifySamples(url, receiverFiles);
  const chosen = samples.find(({ name }) => name === language)?.name ?? 'TypeScript';
  return (
    <Stack gap="sm">
      <Text size="sm">
        A receiver for this address. It reads the secret from the environment variable <code>WEBHOOK_SECRET</code>.
        During a rotation, give it both secrets, separated by a comma.
      </Text>
      <Tabs value={chosen} onChange={(name) => setLanguage(name ?? 'TypeScript')} variant="outline" keepMounted={false}>
        <Tabs.List aria-label="Language">
          {samples.map(({ name }) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {samples.map(({ name, code, run }) => (
          <Tabs.Panel key={name} value={name} pt="sm">
            <Stack gap="xs">
              <Text size="sm" c="dimmed">
                {run}
              </Text>
              <CodeBlock text={code} what={`code in ${name}`} language={languageOf(name)} isProgram />
            </Stack>
          </Tabs.Panel>
        ))}
      </Tabs>
      <Text size="sm">
        Signature does not match?{' '}
        <Anchor size="sm" href={`${basePath}/docs/verifier`} target="_blank">
          Paste a delivery into the verifier
        </Anchor>
        , or read{' '}
        <Anchor size="sm" href={`${basePath}/docs/verifying-signatures`} target="_blank">
          how signatures are verified
        </Anchor>
        .
      </Text>
    </Stack>
  );
}
