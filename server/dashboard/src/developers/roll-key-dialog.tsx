import { Radio, Stack } from '@mantine/core';
import type { ApiKey, NewApiKey, RollRequest } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { useAsk } from '../kit/use-ask.ts';
import { nameOf } from './keys-table.tsx';
import { NewKey } from './new-key.tsx';

const overlaps = [
  { seconds: 86_400, words: 'For one more day' },
  { seconds: 604_800, words: 'For one more week' },
  { seconds: 3_600, words: 'For one more hour' },
  { seconds: 0, words: 'Not at all: it may be in wrong hands' },
] as const satisfies { seconds: RollRequest['overlapSeconds']; words: string }[];

interface RollKeyDialogProps {
  apiKey: ApiKey;
  onKey: (key: string) => void;
  onClose: () => void;
}

/** Makes a successor, and lets the old key work beside it for a while. */
export function RollKeyDialog({ apiKey, onKey, onClose }: RollKeyDialogProps): ReactNode {
  const [seconds, setSeconds] = useState<(typeof overlaps)[number]['seconds']>(86_400);
  const [successor, setSuccessor] = useState<NewApiKey | null>(null);
  const rolling = useAsk({
    ask: (tillhook, overlapSeconds: typeof seconds) => tillhook.apiKeys.roll(apiKey.id, { overlapSeconds }),
    isRepeatable: false,
    changes: ['apiKeys', 'audit'],
    onAnswer: (answer) => {
      setSuccessor(answer);
      onKey(answer.key);
    },
  });
  if (successor) return <NewKey apiKey={successor} onClose={onClose} />;
  return (
    <ConfirmDialog
      title="Roll this key"
      action="Create its successor"
      isBusy={rolling.isBusy}
      error={rolling.error}
      onConfirm={() => rolling.ask(seconds)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <span>
          A new key that may do the same takes the place of <bdi>{nameOf(apiKey)}</bdi>. Give your program the new one
          while the old one still works.
        </span>
        <Radio.Group
          label="How long does the old key still work?"
          value={String(seconds)}
          onChange={(value) =>
            setSeconds(overlaps.find((overlap) => String(overlap.seconds) === value)?.seconds ?? 86_400)
          }
        >
          <Stack gap={6} mt={6}>
            {overlaps.map((overlap) => (
              <Radio key={overlap.seconds} value={String(overlap.seconds)} label={overlap.words} />
            ))}
          </Stack>
        </Radio.Group>
        {rolling.isLost &&
          'A successor may have been created. Look for it in the list, revoke it and roll the key again.'}
      </Stack>
    </ConfirmDialog>
  );
}
