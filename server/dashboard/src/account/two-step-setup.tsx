import { Text, TextInput } from '@mantine/core';
import type { TwoStepSecret } from '@tillhook/sdk/session';
import { type ReactNode, Suspense, useState } from 'react';
import { lazily } from '../app/load-script.tsx';
import { useRefreshSession } from '../app/session.ts';
import { Copy } from '../kit/copy.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { codeIn, emptyProof, ProofFields, proofProblem } from '../kit/proof-fields.tsx';
import { ShownOnce } from '../kit/shown-once.tsx';
import { useProof } from '../kit/use-proof.ts';
import { useServiceMutation } from '../kit/use-service-mutation.ts';

const QrCode = lazily(async () => (await import('./qr-code.tsx')).QrCode);

export function TwoStepSetup({ onClose }: { onClose: () => void }): ReactNode {
  const [secret, setSecret] = useState<TwoStepSecret | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes) return <RecoveryCodes codes={codes} title="Two-step sign-in is on" onClose={onClose} />;
  if (secret) return <ConfirmSecret secret={secret} onCodes={setCodes} onClose={onClose} />;
  return <PasswordStep onSecret={setSecret} onClose={onClose} />;
}

interface PasswordStepProps {
  onSecret: (secret: TwoStepSecret) => void;
  onClose: () => void;
}

function PasswordStep({ onSecret, onClose }: PasswordStepProps): ReactNode {
  const [proof, setProof] = useState(emptyProof);
  const prove = useProof();
  const beginning = useServiceMutation({
    mutate: async (tillhook, typed: { password: string; code?: string }) =>
      tillhook.user.beginTwoStep(await prove(tillhook, typed)),
    isRepeatable: false,
    onAnswer: onSecret,
  });
  return (
    <FormDialog
      title="Set up two-step sign-in"
      isOpen
      onClose={onClose}
      mutation={beginning}
      onSubmit={() => beginning.mutate({ password: proof.password, ...codeIn(proof) })}
      submitLabel="Continue"
      lostWords="Nothing has changed yet. Click Continue again."
      isErrorShown={proofProblem(beginning.error) !== null}
    >
      <Text size="sm">You need an authenticator app on your phone. First, confirm that it is you.</Text>
      <ProofFields typed={proof} onChange={setProof} error={beginning.error} />
    </FormDialog>
  );
}

interface ConfirmSecretProps {
  secret: TwoStepSecret;
  onCodes: (codes: readonly string[]) => void;
  onClose: () => void;
}

function ConfirmSecret({ secret: { secret, uri }, onCodes, onClose }: ConfirmSecretProps): ReactNode {
  const [code, setCode] = useState('');
  const refreshSession = useRefreshSession();
  const confirming = useServiceMutation({
    mutate: (tillhook, typed: string) => tillhook.user.confirmTwoStep({ code: typed }),
    isRepeatable: false,
    changes: ['sessions', 'audit'],
    onAnswer: ({ recoveryCodes }) => {
      onCodes(recoveryCodes);
      refreshSession();
    },
  });
  const isWrong = proofProblem(confirming.error) === 'invalid_code';
  return (
    <FormDialog
      title="Set up two-step sign-in"
      isOpen
      onClose={onClose}
      mutation={confirming}
      onSubmit={() => confirming.mutate(code.trim())}
      submitLabel="Turn on"
      lostWords="It may already be on. Reload the page: if it is, create new recovery codes, because these cannot be shown again."
      isErrorShown={isWrong}
    >
      <Text size="sm">Scan this QR code with the app within ten minutes.</Text>
      <Suspense fallback={<div style={{ height: 200 }} />}>
        <QrCode uri={uri} />
      </Suspense>
      <Text component="div" size="sm">
        Or type the secret into it:{' '}
        <Copy value={secret} what="secret">
          {secret.match(/.{1,4}/g)?.join(' ')}
        </Copy>
      </Text>
      <TextInput
        label="Six-digit code from the app"
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        withAsterisk={false}
        maxLength={32}
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
        error={isWrong && 'That code is wrong. Wait for the next one, and check that the clock on your phone is right.'}
      />
    </FormDialog>
  );
}

interface RecoveryCodesProps {
  title: string;
  codes: readonly string[];
  onClose: () => void;
}

export function RecoveryCodes({ title, codes, onClose }: RecoveryCodesProps): ReactNode {
  return (
    <ShownOnce
      title={title}
      about="If you lose your phone, each of these recovery codes works once. Keep them in a safe place. They are shown only once."
      value={codes.join('\n')}
      what="the recovery codes"
      isSeveral
      fileName="tillhook-recovery-codes.txt"
      onClose={onClose}
    />
  );
}
