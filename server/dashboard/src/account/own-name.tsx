import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useSession } from '../app/session.ts';
import { Failure } from '../kit/failure.tsx';
import { fieldProblems } from '../kit/field-problems.ts';
import { Section } from '../kit/section.tsx';
import { useSavePreferences } from './use-save-preferences.ts';

export function OwnName(): ReactNode {
  const { name } = useSession().user;
  const [typed, setTyped] = useState(name ?? '');
  const saving = useSavePreferences('Your name is saved.');
  const problem = fieldProblems(saving.error).name;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate({ name: typed.trim() || null });
  };
  return (
    <Section title="Name" about="Your colleagues see it beside your email.">
      <form onSubmit={submit}>
        <Stack gap="sm" maw={380}>
          <TextInput
            label="Your name"
            autoComplete="name"
            dir="auto"
            maxLength={120}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            readOnly={saving.isBusy}
            error={problem}
          />
          {saving.error && problem === undefined && <Failure error={saving.error} onTryAgain={saving.again} />}
          <Group>
            <Button type="submit" loading={saving.isBusy} disabled={typed.trim() === (name ?? '')}>
              Save the name
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
