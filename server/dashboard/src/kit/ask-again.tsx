import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { TillhookError } from '@tillhook/sdk/session';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useSession } from '../app/session.ts';
import { CodeField, PasswordField } from '../sign-in/sign-in-fields.tsx';
import { Failure } from './failure.tsx';
import type { Asking } from './use-ask.ts';

/** What proves who somebody is, once more. `code` is there where two-step sign-in is on. */
export interface Proof {
  password: string;
  code?: string;
}

interface AskAgainProps {
  title: string;
  /** Why it is asked for, and what will happen. */
  children: ReactNode;
  submitLabel: string;
  asking: Asking<Proof>;
  onClose: () => void;
}

const refusals: Record<string, string> = {
  invalid_credentials: 'That password is wrong.',
  invalid_code: 'That code is wrong, or was used before. Wait for the next one.',
};

/** Asks for the password, and for the code where the service wants one, because a computer left alone is signed in too. */
export function AskAgain({ title, children, submitLabel, asking, onClose }: AskAgainProps): ReactNode {
  const [typed, setTyped] = useState({ password: '', code: '' });
  const { twoStep } = useSession().user;
  const [needsCode, setNeedsCode] = useState(twoStep.isOn);
  const { isBusy, error } = asking;
  const errorCode = error instanceof TillhookError ? error.code : null;
  const asksForCode = errorCode === 'two_step_required';
  if (asksForCode && !needsCode) setNeedsCode(true);
  const refusal = refusals[errorCode ?? ''] ?? null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const { password, code } = typed;
    asking.ask({ password, ...(needsCode && { code: code.trim() }) });
  };
  return (
    <Modal opened onClose={() => !isBusy && onClose()} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form method="post" onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm">{children}</Text>
          <PasswordField
            value={typed.password}
            onChange={(password) => setTyped({ ...typed, password })}
            isWrong={errorCode === 'invalid_credentials'}
            autoFocus
          />
          {needsCode && (
            <CodeField
              value={typed.code}
              onChange={(code) => setTyped({ ...typed, code })}
              isWrong={errorCode === 'invalid_code'}
            />
          )}
          {refusal !== null && !isBusy && (
            <Text role="alert" c="var(--bad)" fw={600} size="sm">
              {refusal}
            </Text>
          )}
          {error && refusal === null && !asksForCode && <Failure error={error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} disabled={isBusy}>
              Close
            </Button>
            <Button type="submit" loading={isBusy}>
              {submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
