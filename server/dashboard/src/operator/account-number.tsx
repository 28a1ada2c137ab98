import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { AskAgain, type Proof } from '../kit/ask-again.tsx';
import { Copy } from '../kit/copy.tsx';
import { useAsk } from '../kit/use-ask.ts';

/** Shows the last four digits of the account number, and all digits after the user has typed the password. */
export function AccountNumber({ id, last4 }: { id: string; last4: string }): ReactNode {
  const [isAsking, setIsAsking] = useState(false);
  const [revealed, setRevealed] = useState<{ accountNumber: string | null } | null>(null);
  const revealing = useAsk({
    ask: (tillhook, proof: Proof) => tillhook.operator.revealAccountNumber(id, proof),
    isRepeatable: false,
    onAnswer: ({ accountNumber }) => {
      setRevealed({ accountNumber });
      setIsAsking(false);
    },
  });
  const close = () => {
    revealing.reset();
    setIsAsking(false);
  };
  if (revealed?.accountNumber) return <Copy value={revealed.accountNumber} what="account number" />;
  if (revealed) return 'The number is no longer kept';
  return (
    <Group gap="xs">
      •••• {last4}
      <Button size="compact-xs" variant="default" onClick={() => setIsAsking(true)}>
        Show all digits
      </Button>
      {isAsking && (
        <AskAgain title="Show the account number" submitLabel="Show it" asking={revealing} onClose={close}>
          Type your password again. The merchant’s audit log records that an operator of the service saw the number.
        </AskAgain>
      )}
    </Group>
  );
}
