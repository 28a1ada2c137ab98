import { Code, Text } from '@mantine/core';
import type { ApiKey } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { FormDialog } from '../kit/form-dialog.tsx';
import { Moment } from '../kit/moment.tsx';
import { useAsk } from '../kit/use-ask.ts';
import { hintOf, nameOf } from './key-name.ts';

export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }): ReactNode {
  const revoking = useAsk({
    ask: (tillhook, id: string) => tillhook.apiKeys.revoke(id),
    changes: ['apiKeys', 'audit'],
    onAnswer: onClose,
  });
  return (
    <FormDialog
      title="Revoke this key"
      isOpen
      onClose={onClose}
      asking={revoking}
      onSubmit={() => revoking.ask(apiKey.id)}
      submitLabel="Revoke the key"
      isDangerous
    >
      <Text size="sm">
        The service refuses programs with <bdi>{nameOf(apiKey)}</bdi> (<Code>{hintOf(apiKey)}</Code>) from now on. This
        cannot be undone.{' '}
        {apiKey.lastUsedAt ? (
          <>
            It was last used <Moment at={apiKey.lastUsedAt} />.
          </>
        ) : (
          'It was never used.'
        )}
      </Text>
    </FormDialog>
  );
}
