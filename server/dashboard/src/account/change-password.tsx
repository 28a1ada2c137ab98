import { Button, Group, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useRefreshSession, useSession } from '../app/session.ts';
import { Failure } from '../kit/failure.tsx';
import { fieldProblems } from '../kit/field-problems.ts';
import { NewPasswordField, tooShort } from '../kit/new-password-field.tsx';
import { notify } from '../kit/notices.tsx';
import { codeIn, emptyProof, ProofFields, proofProblem } from '../kit/proof-fields.tsx';
import { Section } from '../kit/section.tsx';
import { useProof } from '../kit/use-proof.ts';
import { useServiceMutation } from '../kit/use-service-mutation.ts';

export function ChangePassword(): ReactNode {
  const { user } = useSession();
  const [proof, setProof] = useState(emptyProof);
  const [newPassword, setNewPassword] = useState('');
  const [lengthProblem, setLengthProblem] = useState<string>();
  const prove = useProof();
  const refreshSession = useRefreshSession();
  const changing = useServiceMutation({
    mutate: async (
      tillhook,
      { newPassword: chosen, ...typed }: { password: string; newPassword: string; code?: string },
    ) => tillhook.user.changePassword({ newPassword: chosen, ...(await prove(tillhook, typed)) }),
    isRepeatable: false,
    changes: ['sessions', 'audit'],
    onAnswer: () => {
      setProof(emptyProof);
      setNewPassword('');
      refreshSession();
      void notify('Your password was changed. You were signed out everywhere else.');
    },
  });
  const problem = fieldProblems(changing.error).newPassword;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const short = tooShort(newPassword);
    setLengthProblem(short);
    if (short !== undefined) return;
    changing.mutate({ password: proof.password, newPassword, ...codeIn(proof) });
  };
  return (
    <Section title="Password" about="Changing your password signs you out everywhere else.">
      <form method="post" onSubmit={submit}>
        <Stack gap="sm" maw={380}>
          <input type="hidden" name="email" autoComplete="username" value={user.email} readOnly />
          <ProofFields typed={proof} onChange={setProof} error={changing.error} passwordLabel="Current password" />
          <NewPasswordField value={newPassword} onChange={setNewPassword} problem={lengthProblem ?? problem} />
          {changing.error && problem === undefined && proofProblem(changing.error) === null && (
            <Failure error={changing.error}>
              {changing.isLost && 'The password may have changed. Sign in with the new one to find out.'}
            </Failure>
          )}
          <Group>
            <Button
              type="submit"
              loading={changing.isBusy}
              disabled={(user.proof === 'password' && !proof.password) || !newPassword}
            >
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
