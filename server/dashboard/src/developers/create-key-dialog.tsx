import { Button, Checkbox, Group, Modal, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { NewApiKey, Scope } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { useMode } from '../app/use-tillhook.ts';
import { Failure } from '../kit/failure.tsx';
import { fieldProblems } from '../kit/field-problems.ts';
import { useAsk } from '../kit/use-ask.ts';
import { NewKey } from './new-key.tsx';
import { scopes } from './scopes.ts';

interface Typed {
  name: string;
  allows: 'everything' | 'some';
  scopes: Scope[];
}

interface CreateKeyDialogProps {
  onKey: (key: string) => void;
  onClose: () => void;
}

/** Creates a key and shows it in the same place, because nobody can read it later. */
export function CreateKeyDialog({ onKey, onClose }: CreateKeyDialogProps): ReactNode {
  const mode = useMode();
  const [created, setCreated] = useState<NewApiKey | null>(null);
  const form = useForm<Typed>({
    initialValues: { name: '', allows: 'everything', scopes: [] },
    validate: {
      scopes: (chosen, { allows }) => (allows === 'some' && chosen.length === 0 ? 'Choose at least one.' : null),
    },
  });
  const creating = useAsk({
    ask: (tillhook, { name, allows, scopes: chosen }: Typed) =>
      tillhook.apiKeys.create({
        ...(name.trim() && { name: name.trim() }),
        scopes: allows === 'some' ? chosen : null,
      }),
    isRepeatable: false,
    changes: ['apiKeys', 'audit'],
    onAnswer: (answer) => {
      setCreated(answer);
      onKey(answer.key);
    },
  });
  if (created) return <NewKey apiKey={created} onClose={onClose} />;
  const problems = fieldProblems(creating.error);
  return (
    <Modal opened onClose={() => !creating.isBusy && onClose()} title={`Create a key of ${mode} mode`}>
      <form onSubmit={form.onSubmit((typed) => creating.ask(typed))}>
        <Stack gap="sm">
          <TextInput
            label="What is it for?"
            description="A name that tells it from your other keys. You can leave it out."
            placeholder="Web shop"
            maxLength={120}
            dir="auto"
            data-autofocus
            {...form.getInputProps('name')}
            error={problems.name}
          />
          <Radio.Group label="What may it do?" {...form.getInputProps('allows')}>
            <Stack gap={6} mt={6}>
              <Radio value="everything" label="Everything" />
              <Radio value="some" label="Only what is checked" />
            </Stack>
          </Radio.Group>
          {form.values.allows === 'some' && <ScopeBoxes {...form.getInputProps('scopes')} />}
          {creating.error && Object.keys(problems).length === 0 && (
            <Failure error={creating.error}>
              {creating.isLost &&
                'A key may have been created. Look for it in the list before you try again; revoke it, because it cannot be read any more.'}
            </Failure>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} disabled={creating.isBusy}>
              Cancel
            </Button>
            <Button type="submit" loading={creating.isBusy}>
              Create the key
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function ScopeBoxes(props: { value?: Scope[]; onChange?: (value: Scope[]) => void; error?: ReactNode }): ReactNode {
  return (
    <Checkbox.Group aria-label="What the key may do" {...props}>
      <Stack gap={6} pl="xl">
        {Object.entries(scopes).map(([scope, words]) => (
          <Checkbox key={scope} value={scope} label={words} description={scope} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
