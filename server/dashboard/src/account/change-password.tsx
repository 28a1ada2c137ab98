import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useSession } from '../app/session.ts';
import { Failure } from '../kit/failure.tsx';
import { fieldProblems } from '../kit/field-problems.ts';
import { notify } from '../kit/notices.tsx';
import { codeIn, emptyProof, ProofFields, proofProblem } from '../kit/proof-fields.tsx';
import { Section } from '../kit/section.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';

const minLength = 12;

export function ChangePassword(): ReactNode {
  const { user } = useSession();
  const [proof, setProof] = useState(emptyProof);
  const [newPassword, setNewPassword] = useState('');
  const [isTooShort, setIsTooShort] = useState(false);
  const changing = useServiceMutation({
    mutate: (tillhook, typed: { password: string; newPassword: string; code?: string }) =>
      tillhook.user.changePassword(typed),
    isRepeatable: false,
    changes: ['sessions', 'audit'],
    onAnswer: () => {
      setProof(emptyProof);
      setNewPassword('');
      void notify('Your password is changed. Your other sessions have ended.');
    },
  });
  const problem = fieldProblems(changing.error).newPassword;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTooShort(newPassword.length < minLength);
    if (newPassword.length < minLength) return;
    changing.mutate({ password: proof.password, newPassword, ...codeIn(proof) });
  };
  return (
    <Section title="Password" about="To change it ends all of your other sessions.">
      <form method="post" onSubmit={submit}>
        <Stack gap="sm" maw={380}>
          <input type="hidden" name="email" autoComplete="username" value={user.email} readOnly />
          <ProofFields typed={proof} onChange={setProof} error={changing.error} passwordLabel="Present password" />
          <PasswordInput
            label="New password"
            description={`${minLength} characters or more. A sentence is easier to keep in mind than a word with signs in it.`}
            autoComplete="new-password"
            required
            withAsterisk={false}
            maxLength={256}
            value={newPassword}
            onChange={({ currentTarget }) => setNewPassword(currentTarget.value)}
            error={isTooShort ? `It has ${newPassword.length} characters; ${minLength} are the fewest.` : problem}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the new password' }}
          />
          {changing.error && problem === undefined && proofProblem(changing.error) === null && (
            <Failure error={changing.error}>
              {changing.isLost && 'The password may have changed. Sign in with the new one to find out.'}
            </Failure>
          )}
          <Group>
            <Button type="submit" loading={changing.isBusy} disabled={!proof.password || !newPassword}>
              Change the password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
