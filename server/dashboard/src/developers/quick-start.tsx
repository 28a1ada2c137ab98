import { Anchor, Button, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { CreatedApiKey } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { languages } from '../../../../docs/quick-start/languages.ts';
import { basePath } from '../app/base.ts';
import { useSession } from '../app/session.ts';
import { useMode, useTillhook } from '../app/use-tillhook.ts';
import { CodeBlock } from '../kit/code-block.tsx';
import { useMayCall } from '../kit/may-call.tsx';
import { byPath, type ProgramFiles } from '../kit/program-files.ts';
import { Section } from '../kit/section.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { scopeWords } from './key-words.ts';
import { curlSteps, programSteps, type Step } from './quick-start-code.ts';

interface QuickStartProps {
  /** A key that was created while this page was open, because the page cannot read older keys. */
  apiKey: CreatedApiKey | null;
  onKey: (key: CreatedApiKey) => void;
}

export function QuickStart({ apiKey, onKey }: QuickStartProps): ReactNode {
  const mode = useMode();
  const { baseUrl } = useTillhook();
  const { currency } = useSession().merchant;
  // `NeedsKey` disappears when the key is created, but the dialog still shows the key, so the dialog stands outside it.
  const [isCreating, { open, close }] = useDisclosure();
  const place = { baseUrl, apiKey: apiKey?.key ?? `sk_${mode}_…`, currency };
  return (
    <Section
      title="Quick start"
      about={
        <>
          The first calls to this service. The <Anchor href={`${basePath}/docs/quick-start`}>docs</Anchor> have the rest
          of it, and what each <Anchor href={`${basePath}/docs/test-cards`}>test card</Anchor> does.
        </>
      }
    >
      <Stack gap="md">
        {apiKey === null ? <NeedsKey onCreate={open} /> : <HasKey {...apiKey} />}
        <Tabs defaultValue="curl" keepMounted={false}>
          <Tabs.List aria-label="Language of the samples">
            <Tabs.Tab value="curl">curl</Tabs.Tab>
            {languages.map(({ name }) => (
              <Tabs.Tab key={name} value={name}>
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="curl" pt="md">
            <Steps steps={curlSteps(place)} />
          </Tabs.Panel>
          {languages.map((language) => (
            <Tabs.Panel key={language.name} value={language.name} pt="md">
              <Steps steps={programSteps(language, place, checkoutFiles)} />
            </Tabs.Panel>
          ))}
        </Tabs>
      </Stack>
      {isCreating && <CreateKeyDialog onKey={onKey} onClose={close} />}
    </Section>
  );
}

function NeedsKey({ onCreate }: { onCreate: () => void }): ReactNode {
  const mayChange = useMayCall('createApiKey');
  if (!mayChange) {
    return (
      <Text size="sm" c="dimmed">
        Replace the dots with a key. Your role cannot create keys. Ask a colleague who can.
      </Text>
    );
  }
  return (
    <Group gap="sm">
      <Text size="sm">Existing keys cannot be shown again. When you create a key, the samples below use it.</Text>
      <Button size="xs" variant="default" onClick={onCreate}>
        Create a key for the samples
      </Button>
    </Group>
  );
}

function HasKey({ scopes }: CreatedApiKey): ReactNode {
  const mayCheckOut = scopes === null || scopes.includes('checkout:write');
  return (
    <Text size="sm" c="dimmed" role="status">
      The samples use the key that you just created, until you leave this page.
      {!mayCheckOut && (
        <>
          {' '}
          This key cannot create a checkout, so that sample returns 403. It needs a key with the permission “
          {scopeWords('checkout:write')}”.
        </>
      )}
    </Text>
  );
}

function Steps({ steps }: { steps: readonly Step[] }): ReactNode {
  return (
    <Stack gap="md">
      {steps.map(({ title, about, code, language }, index) => (
        <Stack gap={6} key={title}>
          <Title order={3}>
            {index + 1}. {title}
          </Title>
          <Text size="sm" c="dimmed">
            {about}
          </Text>
          <CodeBlock text={code} what={`step ${index + 1}`} language={language} />
        </Stack>
      ))}
    </Stack>
  );
}

/**
 * The programs of the quick start that create a checkout.
 * See docs/decisions/docs.md, "The quick start is files that run".
 */
export const checkoutFiles: ProgramFiles = byPath(
  import.meta.glob<string>(
    ['../../../../docs/quick-start/*/[Cc]heckout.*', '../../../../docs/quick-start/go/checkout/main.go'],
    { query: '?raw', import: 'default', eager: true },
  ),
);
