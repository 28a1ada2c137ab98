import { Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { formatAmount, readAmount } from '../kit/amount.ts';
import { FieldList } from '../kit/field-list.tsx';
import type { ServiceMutation } from '../kit/use-service-mutation.ts';
import { plain, type TypedTransfer } from './use-transfer-form.ts';

// See docs/decisions/dashboard.md, "A transfer is reviewed before it is sent, and archiving is undone afterwards".
const doubleClickMs = 500;

interface Review {
  step: 'fields' | 'review';
  /** False for a moment after a step is shown. */
  isReady: boolean;
  next: () => void;
  back: () => void;
}

/** After a refusal the fields are shown again, because the user has to change one. */
export function useReview({
  error,
  isLost,
  isBusy,
}: Pick<ServiceMutation<never>, 'error' | 'isLost' | 'isBusy'>): Review {
  const [step, setStep] = useState<Review['step']>('fields');
  const [isReady, setReady] = useState(true);
  const isRefused = error !== null && !isLost && !isBusy;
  useEffect(() => {
    if (isRefused) setStep('fields');
  }, [isRefused]);
  useEffect(() => {
    if (isReady) return;
    const timer = setTimeout(() => setReady(true), doubleClickMs);
    return () => clearTimeout(timer);
  }, [isReady]);
  const show = (next: Review['step']) => {
    setReady(false);
    setStep(next);
  };
  return { step, isReady, next: () => show('review'), back: () => show('fields') };
}

export function TransferReview({ typed }: { typed: TypedTransfer }): ReactNode {
  const { amount, currency, recipient, narration, reference } = typed;
  const heading = useRef<HTMLParagraphElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Stack gap="xs">
      <Text ref={heading} tabIndex={-1} fw={600}>
        Check the transfer. It cannot be undone.
      </Text>
      <FieldList
        fields={[
          ['Amount', formatAmount(readAmount(amount, currency) ?? 0, currency)],
          ['Recipient', <bdi key="name">{recipient.name.trim()}</bdi>],
          ['Account', plain(recipient.accountNumber)],
          ['Bank code', recipient.bankCode.trim()],
          ['Narration', narration.trim() ? <bdi key="narration">{narration.trim()}</bdi> : null],
          ['Reference', reference.trim()],
        ]}
      />
    </Stack>
  );
}
