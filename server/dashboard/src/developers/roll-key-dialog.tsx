import { Radio, Stack, Text } from '@mantine/core';
import type { ApiKey, CreatedApiKey, RollRequest } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { FormDialog } from '../kit/form-dialog.tsx';
import { codeIn, emptyProof, ProofFields, proofProblem } from '../kit/proof-fields.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';
import { NewKey } from './create-key-dialog.tsx';
import { nameOf } from './key-words.ts';

const overlaps = [
  { seconds: 86_400, words: 'For one more day' },
  { seconds: 604_800, words: 'For one more week' },
  { seconds: 3_600, words: 'For one more hour' },
  { seconds: 0, words: 'Not at all. It may have leaked' },
] as const satisfies { seconds: RollRequest['overlapSeconds']; words: string }[];

interface RollKeyDialogProps {
  apiKey: ApiKey;
  onKey: (key: CreatedApiKey) => void;
  onClose: () => void;
}

/** The old key works until a time that the user chooses. */
export function RollKeyDialog({ apiKey, onKey, onClose }: RollKeyDialogProps): ReactNode {
  const [chosen, setChosen] = useState('86400');
  const [proof, setProof] = useState(emptyProof);
  const [successor, setSuccessor] = useState<CreatedApiKey | null>(null);
  const rolling = useServiceMutation({
    mutate: (tillhook, body: RollRequest) => tillhook.apiKeys.roll(apiKey.id, body),
    isRepeatable: false,
    changes: ['apiKeys', 'audit'],
    onAnswer: (answer) => {
      setSuccessor(answer);
      onKey(answer);
    },
  });
  if (successor) return <NewKey apiKey={successor} onClose={onClose} />;
  const overlapSeconds = overlaps.find(({ seconds }) => String(seconds) === chosen)?.seconds ?? 86_400;
  return (
    <FormDialog
      title="Roll API key"
      isOpen
      onClose={onClose}
      mutation={rolling}
      onSubmit={() => rolling.mutate({ overlapSeconds, ...codeIn(proof) })}
      submitLabel="Roll key"
      lostWords="A new key may have been created. Look for it in the list, revoke it and roll the key again."
      isErrorShown={proofProblem(rolling.error) !== null}
    >
      <Text size="sm">
        A new key with the same permissions replaces <bdi>{nameOf(apiKey)}</bdi>. Give your program the new key while
        the old one still works.
      </Text>
      <Radio.Group label="Old key keeps working" value={chosen} onChange={setChosen}>
        <Stack gap={6} mt={6}>
          {overlaps.map(({ seconds, words }) => (
            <Radio key={seconds} value={String(seconds)} label={words} />
          ))}
        </Stack>
      </Radio.Group>
      <ProofFields typed={proof} onChange={setProof} error={rolling.error} asksPassword={false} />
    </FormDialog>
  );
}
