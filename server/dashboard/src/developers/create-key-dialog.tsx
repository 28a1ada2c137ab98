import { Checkbox, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { CreatedApiKey } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { useMode } from '../app/use-tillhook.ts';
import { fieldProblems } from '../kit/field-problems.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { modeWords } from '../kit/mode-words.ts';
import { codeIn, emptyProof, ProofFields, proofProblem } from '../kit/proof-fields.tsx';
import { ShownOnce } from '../kit/shown-once.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';
import { useKeyRights } from './key-rights.ts';
import { type ChosenScope, scopes } from './key-words.ts';

const initialValues = { name: '', allows: 'everything', scopes: [] as ChosenScope[], proof: emptyProof };

interface CreateKeyDialogProps {
  onKey: (key: CreatedApiKey) => void;
  onClose: () => void;
}

/** Shows the key in the same dialog, because no later page can show the key. */
export function CreateKeyDialog({ onKey, onClose }: CreateKeyDialogProps): ReactNode {
  const mode = useMode();
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const { everything, allows } = useKeyRights();
  const form = useForm({
    initialValues: { ...initialValues, allows: everything ? 'everything' : 'some' },
    validate: {
      scopes: (chosen, { allows }) => (allows === 'some' && chosen.length === 0 ? 'Choose at least one.' : null),
    },
  });
  const creating = useServiceMutation({
    mutate: (tillhook, { name, allows, scopes: chosen, proof }: typeof initialValues) =>
      tillhook.apiKeys.create({
        ...(name.trim() && { name: name.trim() }),
        scopes: allows === 'some' ? chosen : null,
        ...codeIn(proof),
      }),
    isRepeatable: false,
    changes: ['apiKeys', 'audit'],
    onAnswer: (answer) => {
      setCreated(answer);
      onKey(answer);
    },
  });
  if (created) return <NewKey apiKey={created} onClose={onClose} />;
  const problems = fieldProblems(creating.error);
  return (
    <FormDialog
      title={`Create an API key in ${modeWords[mode]}`}
      isOpen
      onClose={onClose}
      mutation={creating}
      onSubmit={form.onSubmit((typed) => creating.mutate(typed))}
      submitLabel="Create key"
      lostWords="A key may have been created. Look for it in the list before you try again, and revoke it, because it cannot be shown again."
      isErrorShown={'name' in problems || proofProblem(creating.error) !== null}
    >
      <TextInput
        label="Name"
        description="Optional. A name that tells it apart from your other keys."
        placeholder="Web shop"
        maxLength={120}
        dir="auto"
        data-autofocus
        {...form.getInputProps('name')}
        error={problems.name}
      />
      <Radio.Group label="Permissions" {...form.getInputProps('allows')}>
        <Stack gap={6} mt={6}>
          <Radio
            value="everything"
            label="Full access"
            disabled={!everything}
            description={!everything && 'Only an administrator can create a key that moves money.'}
          />
          <Radio value="some" label="Selected permissions only" />
        </Stack>
      </Radio.Group>
      {form.values.allows === 'some' && <ScopeBoxes isAllowed={allows} {...form.getInputProps('scopes')} />}
      <ProofFields
        typed={form.values.proof}
        onChange={(proof) => form.setFieldValue('proof', proof)}
        error={creating.error}
        asksPassword={false}
      />
    </FormDialog>
  );
}

function ScopeBoxes({
  isAllowed,
  ...props
}: {
  isAllowed: (scope: string) => boolean;
  value?: ChosenScope[];
  onChange?: (value: ChosenScope[]) => void;
  error?: ReactNode;
}): ReactNode {
  return (
    <Checkbox.Group aria-label="Permissions of the key" {...props}>
      <Stack gap={6} pl="xl">
        {Object.entries(scopes).map(([scope, words]) => (
          <Checkbox key={scope} value={scope} label={words} description={scope} disabled={!isAllowed(scope)} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

export function NewKey({ apiKey, onClose }: { apiKey: CreatedApiKey; onClose: () => void }): ReactNode {
  return (
    <ShownOnce
      title="Your new key"
      about="Copy it now and store it with your program’s secrets. It cannot be shown again. The quick start on this page uses it until you leave the page."
      value={apiKey.key}
      what="the key"
      onClose={onClose}
    />
  );
}
