import { Button, Group, Text, TextInput } from '@mantine/core';
import type { Passkey } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { canUsePasskeys, createPasskey } from '../app/browser-passkeys.ts';
import { useRefreshSession } from '../app/session.ts';
import { signInWays } from '../app/sign-in-ways.ts';
import { useRead } from '../app/use-read.ts';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { fieldProblems } from '../kit/field-problems.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { Moment } from '../kit/moment.tsx';
import { notify } from '../kit/notices.tsx';
import { codeIn, emptyProof, ProofFields, proofProblem } from '../kit/proof-fields.tsx';
import { Section } from '../kit/section.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { useProof } from '../kit/use-proof.ts';
import { useServiceMutation } from '../kit/use-service-mutation.ts';

export function Passkeys(): ReactNode {
  const [isAdding, setIsAdding] = useState(false);
  const passkeys = useRead({
    key: ['passkeys'],
    read: (tillhook, options) => tillhook.passkeys.list({ limit: 100 }, options),
  });
  const problem = problemHere();
  return (
    <Section
      title="Passkeys"
      about="Sign in with your fingerprint, face or PIN, without a password or a code."
      actions={problem === null && <Button onClick={() => setIsAdding(true)}>Add a passkey</Button>}
    >
      {problem !== null && <Text size="sm">{problem}</Text>}
      <Loaded read={passkeys}>
        {({ passkeys: rows }) =>
          rows.length === 0 ? (
            <Text size="sm" c="dimmed">
              No passkeys yet.
            </Text>
          ) : (
            <DataTable label="Your passkeys" columns={columns} rows={rows} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      {isAdding && <AddPasskeyDialog onClose={() => setIsAdding(false)} />}
    </Section>
  );
}

function problemHere(): string | null {
  if (!signInWays.passkey) return 'Passkeys need https, which the operator of this service has not set up.';
  return canUsePasskeys ? null : 'This browser cannot use passkeys.';
}

const columns: Column<Passkey>[] = [
  {
    title: 'Name',
    isRowHeader: true,
    cell: ({ name, copySeenAt }) => (
      <Group gap="xs">
        <bdi>{name}</bdi>
        {copySeenAt && <StatusBadge status="Possibly copied" tone="warn" />}
      </Group>
    ),
  },
  { title: 'Last used', isNarrow: true, cell: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} /> : 'Never') },
  { title: 'Added', isNarrow: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: 'Change', isNarrow: true, cell: (passkey) => <PasskeyButtons {...passkey} /> },
];

function PasskeyButtons(passkey: Passkey): ReactNode {
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  const close = () => setOpen(null);
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => setOpen('rename')}
        aria-label={`Rename the passkey ${passkey.name}`}
      >
        Rename
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => setOpen('remove')}
        aria-label={`Remove the passkey ${passkey.name}`}
      >
        Remove
      </Button>
      {open === 'rename' && <RenamePasskeyDialog passkey={passkey} onClose={close} />}
      {open === 'remove' && <RemovePasskeyDialog passkey={passkey} onClose={close} />}
    </Group>
  );
}

export function AddPasskeyDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [typed, setTyped] = useState(emptyProof);
  const refreshSession = useRefreshSession();
  const prove = useProof();
  const adding = useServiceMutation({
    mutate: async (tillhook, typedProof: { password: string; code?: string }) => {
      const proof = await prove(tillhook, typedProof);
      return tillhook.passkeys.add(await createPasskey(() => tillhook.passkeys.begin(proof)));
    },
    isRepeatable: false,
    changes: ['passkeys', 'audit'],
    onAnswer: ({ name }) => {
      refreshSession();
      void notify(`You can now sign in with the passkey “${name}”.`);
      onClose();
    },
  });
  return (
    <FormDialog
      title="Add a passkey"
      isOpen
      onClose={onClose}
      mutation={adding}
      onSubmit={() => adding.mutate({ password: typed.password, ...codeIn(typed) })}
      submitLabel="Continue"
      lostWords="It may have been added. Reload the page to check."
      isErrorShown={proofProblem(adding.error) !== null}
    >
      <Text size="sm">Your browser will ask where to save the passkey, and for your fingerprint, face or PIN.</Text>
      <ProofFields typed={typed} onChange={setTyped} error={adding.error} autoFocus />
    </FormDialog>
  );
}

interface DialogProps {
  passkey: Passkey;
  onClose: () => void;
}

export function RenamePasskeyDialog({ passkey, onClose }: DialogProps): ReactNode {
  const [name, setName] = useState(passkey.name);
  const renaming = useServiceMutation({
    mutate: (tillhook, typed: string) => tillhook.passkeys.rename(passkey.id, { name: typed }),
    changes: ['passkeys', 'audit'],
    onAnswer: onClose,
  });
  const problem = fieldProblems(renaming.error).name;
  return (
    <FormDialog
      title="Rename passkey"
      isOpen
      onClose={onClose}
      mutation={renaming}
      onSubmit={() => renaming.mutate(name.trim())}
      submitLabel="Rename"
      isErrorShown={problem !== undefined}
    >
      <TextInput
        label="Name"
        required
        withAsterisk={false}
        maxLength={120}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={problem}
      />
    </FormDialog>
  );
}

export function RemovePasskeyDialog({ passkey, onClose }: DialogProps): ReactNode {
  const refreshSession = useRefreshSession();
  const removing = useServiceMutation({
    mutate: (tillhook, id: string) => tillhook.passkeys.remove(id),
    changes: ['passkeys', 'sessions', 'audit'],
    onAnswer: () => {
      refreshSession();
      void notify('Passkey removed.');
      onClose();
    },
  });
  return (
    <FormDialog
      title="Remove passkey?"
      isOpen
      onClose={onClose}
      mutation={removing}
      onSubmit={() => removing.mutate(passkey.id)}
      submitLabel="Remove passkey"
      isDangerous
    >
      <Text size="sm">
        You can no longer sign in with “<bdi>{passkey.name}</bdi>”, and other sessions that it started end. Delete it on
        the device too, so that your browser stops offering it.
      </Text>
    </FormDialog>
  );
}
