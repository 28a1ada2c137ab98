import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { readAddress } from '../app/search.ts';
import { fieldProblems } from './field-problems.ts';
import { FormDialog } from './form-dialog.tsx';
import { type SavedView, useApplyChange } from './saved-views.ts';
import { useServiceMutation } from './use-service-mutation.ts';

interface ViewDialogProps {
  list: string;
  views: readonly SavedView[];
  /** The view that gets another name; null for a new view. */
  before: SavedView | null;
  query: string;
  onClose: () => void;
}

export function ViewDialog({ list, views, before, query, onClose }: ViewDialogProps): ReactNode {
  const [typed, setTyped] = useState(before?.name ?? '');
  const [isMissing, setIsMissing] = useState(false);
  const navigate = useNavigate();
  const apply = useApplyChange();
  const name = typed.trim();
  const saving = useServiceMutation({
    mutate: (_tillhook, to: string) => apply({ list, name: before?.name ?? to, to: { name: to, query } }),
    changes: ['audit'],
    onAnswer: () => {
      onClose();
      // The URL may lack the columns, which the view has.
      void navigate({ to: '.', search: () => readAddress(query), replace: true });
    },
  });
  const problem = problemOf(saving.error);
  const replaces = views.some((view) => view.name === name && view !== before);
  const submit = () => {
    setIsMissing(name === '');
    if (name !== '') saving.mutate(name);
  };
  return (
    <FormDialog
      title={before ? 'Rename view' : 'Save view'}
      isOpen
      onClose={onClose}
      mutation={saving}
      isErrorShown={problem !== undefined}
      onSubmit={submit}
      submitLabel={before ? 'Rename view' : 'Save view'}
    >
      <TextInput
        label="Name"
        description={
          replaces
            ? 'This replaces your view with the same name.'
            : 'Saves the filters, order and columns of this list as a tab that only you see.'
        }
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        error={isMissing && name === '' ? 'Enter a name.' : problem}
        maxLength={40}
        dir="auto"
      />
    </FormDialog>
  );
}

function problemOf(error: Error | null): string | undefined {
  const problems = fieldProblems(error);
  if (problems.views) return 'You have 30 views, the maximum. Delete one first.';
  return Object.entries(problems).find(([field]) => /^views\.\d+\.name$/.test(field))?.[1];
}
