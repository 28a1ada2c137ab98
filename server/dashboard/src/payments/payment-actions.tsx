import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Payment, TillhookSession } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { formatAmount } from '../kit/amount.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { useMayChange } from '../kit/may-change.tsx';
import { notify } from '../kit/notices.tsx';
import { useAsk } from '../kit/use-ask.ts';
import { ResendWebhooks } from './resend-webhooks.tsx';

/** What can be done with a payment as it is now. */
export function PaymentActions({ payment }: { payment: Payment }): ReactNode {
  const isOpen = payment.status === 'pending' || payment.status === 'processing';
  if (!useMayChange()) return null;
  return (
    <>
      <ResendWebhooks reference={payment.reference} />
      {isOpen && payment.mode === 'test' && <TestEnds payment={payment} />}
      {payment.status === 'pending' && <Cancel payment={payment} />}
    </>
  );
}

function TestEnds({ payment }: { payment: Payment }): ReactNode {
  return (
    <>
      <Change
        payment={payment}
        label="Complete it"
        title="Complete this test payment?"
        change={(tillhook, reference, options) => tillhook.testHelpers.completePayment(reference, options)}
      >
        It ends as if the customer had paid {formatAmount(payment.amount, payment.currency)} with the card 4242 4242
        4242 4242, webhooks included. No money moves in test mode.
      </Change>
      <Change
        payment={payment}
        label="Fail it"
        title="Fail this test payment?"
        change={(tillhook, reference, options) => tillhook.testHelpers.failPayment(reference, options)}
      >
        It ends as if the customer’s card had been declined and the customer had given up, webhooks included.
      </Change>
    </>
  );
}

/** Choice: no reason is asked for, because the service keeps none. */
function Cancel({ payment }: { payment: Payment }): ReactNode {
  return (
    <Change
      payment={payment}
      label="Cancel"
      title="Cancel this payment?"
      submitLabel="Cancel the payment"
      isDangerous
      change={(tillhook, reference, options) => tillhook.payments.cancel(reference, options)}
      done={({ status }) => `The payment is ${status}: nobody can pay it any more.`}
    >
      Nobody can pay {formatAmount(payment.amount, payment.currency)} at its link any more. The payment is then expired,
      and no event is sent; when a card was declined before, it has failed, and your endpoints are told. It cannot be
      undone; create another link to ask again.
    </Change>
  );
}

interface ChangeProps {
  payment: Payment;
  label: string;
  title: string;
  submitLabel?: string;
  isDangerous?: boolean;
  change: (tillhook: TillhookSession, reference: string, options: { idempotencyKey: string }) => PromiseLike<Payment>;
  /** What is said when it was done, where the page does not say it in the same words. */
  done?: (changed: Payment) => string;
  children: ReactNode;
}

function Change({ payment, label, title, submitLabel = label, isDangerous, ...props }: ChangeProps): ReactNode {
  const { change, done, children } = props;
  const [isOpen, { open, close }] = useDisclosure();
  const changing = useAsk({
    ask: change,
    changes: ['payments', 'events', 'deliveries', 'wallets'],
    onAnswer: (changed) => {
      if (done) void notify(done(changed));
      close();
    },
  });
  return (
    <>
      <Button variant="default" onClick={open}>
        {label}
      </Button>
      <FormDialog
        title={title}
        isOpen={isOpen}
        onClose={close}
        asking={changing}
        onSubmit={() => changing.ask(payment.reference)}
        submitLabel={submitLabel}
        isDangerous={isDangerous ?? false}
      >
        <Text size="sm">{children}</Text>
      </FormDialog>
    </>
  );
}
