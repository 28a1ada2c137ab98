import { Button, Collapse, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ApiKey, CreatedApiKey } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { Empty } from '../kit/empty.tsx';
import { Plus } from '../kit/icons.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { useMayCall } from '../kit/may-call.tsx';
import { modeWords } from '../kit/mode-words.ts';
import { LinesSkeleton } from '../kit/page-skeleton.tsx';
import { plural } from '../kit/plural.ts';
import { Section } from '../kit/section.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeysTable } from './keys-table.tsx';

export function ApiKeys({ onKey }: { onKey: (key: CreatedApiKey) => void }): ReactNode {
  const mode = useMode();
  const mayChange = useMayCall('createApiKey');
  const keys = useKeys();
  const [isCreating, creating] = useDisclosure();
  return (
    <Section
      title="API keys"
      about={
        <>
          Your programs use an API key to call the service. These keys are for {modeWords[mode]}. The other mode has its
          own.
          {!mayChange && ' Your role can view them, but not create, roll or revoke them.'}
        </>
      }
      actions={
        mayChange && (
          <Button leftSection={<Plus size={16} aria-hidden />} onClick={creating.open}>
            Create API key
          </Button>
        )
      }
      isBare
    >
      <Loaded read={keys} skeleton={<LinesSkeleton lines={3} />}>
        {({ usable, ended }) => (
          <Stack gap="xs" align="stretch">
            {usable.length === 0 ? (
              <Empty title="No active keys">
                {mayChange ? 'Create a key for your program.' : 'An administrator or a developer can create keys here.'}
              </Empty>
            ) : (
              <KeysTable label="API keys" keys={usable} onKey={onKey} />
            )}
            {ended.length > 0 && <EndedKeys keys={ended} />}
          </Stack>
        )}
      </Loaded>
      {isCreating && <CreateKeyDialog onKey={onKey} onClose={creating.close} />}
    </Section>
  );
}

function EndedKeys({ keys }: Pick<Parameters<typeof KeysTable>[0], 'keys'>): ReactNode {
  const [isShown, { toggle }] = useDisclosure();
  return (
    <div>
      <Button size="xs" variant="default" onClick={toggle} aria-expanded={isShown}>
        {isShown
          ? 'Hide inactive keys'
          : plural(keys.length, {
              one: `Show ${keys.length} inactive key`,
              other: `Show ${keys.length} inactive keys`,
            })}
      </Button>
      <Collapse expanded={isShown}>{isShown && <KeysTable label="Inactive API keys" keys={keys} />}</Collapse>
    </div>
  );
}

export interface Keys {
  usable: ApiKey[];
  /** Revoked keys, and rolled keys that have expired. */
  ended: ApiKey[];
}

/** More keys are not read: a merchant has at most 100 active keys, and usually few revoked or expired keys. */
const maxKeys = 1_000;

export function useKeys(): UseQueryResult<Keys> {
  return useRead({
    key: ['apiKeys'],
    read: async (tillhook, options) => {
      const keys = await tillhook.apiKeys.list({ limit: 100 }, options).toArray({ max: maxKeys });
      return { usable: keys.filter((key) => !isOver(key)), ended: keys.filter(isOver) };
    },
  });
}

function isOver({ revokedAt, expiresAt }: ApiKey): boolean {
  return revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now());
}
