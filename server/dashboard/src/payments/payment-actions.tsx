import { useDisclosure } from '@mantine/hooks';
import type { Payment, TillhookSession } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { formatAmount } from '../kit/amount.ts';
import { ChangeButton } from '../kit/change-button.tsx';
import { FormButton } from '../kit/form-button.tsx';
import { useMayCall } from '../kit/may-call.tsx';
import { notify } from '../kit/notices.tsx';
import { NewCheckout } from './new-checkout.tsx';
import { RefundPayment } from './refund-payment.tsx';
import { ResendWebhooks } from './resend-webhooks.tsx';
import { isAboutReceived } from './who-decides.tsx';

export function PaymentActions({ payment }: { payment: Payment }): ReactNode {
  const isOpen = payment.status === 'pending' || payment.status === 'processing';
  const mayResend = useMayCall('resendDelivery');
  const mayRefund = useMayCall('createRefund');
  const mayEnd = useMayCall('testCompletePayment') && payment.mode === 'test';
  const mayCancel = useMayCall('cancelCheckout');
  const mayCreate = useMayCall('createCheckout');
  const wasNotMade = payment.status === 'failed' || payment.status === 'expired';
  return (
    <>
      {mayResend && <ResendWebhooks reference={payment.reference} />}
      {mayRefund && payment.status === 'completed' && <RefundPayment payment={payment} />}
      {mayEnd && isOpen && payment.reviewReason === null && <TestEnds payment={payment} />}
      {mayEnd && isAboutReceived(payment.reviewReason) && <TestDecisions payment={payment} />}
      {mayCancel && payment.status === 'pending' && <Cancel payment={payment} />}
      {mayCreate && wasNotMade && <CreateAgain payment={payment} />}
    </>
  );
}

function CreateAgain({ payment }: { payment: Payment }): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <FormButton needs="payment_processor" onClick={open}>
        Create again
      </FormButton>
      <NewCheckout isOpen={isOpen} onClose={close} like={payment} />
    </>
  );
}

/** The queries that are read again when the payment has ended. */
const changes = ['payments', 'events', 'deliveries', 'wallets'];

function TestEnds({ payment }: { payment: Payment }): ReactNode {
  return (
    <>
      <ChangeButton
        label="Complete payment"
        title="Complete this test payment?"
        change={({ test }, options) => test.completePayment(payment.reference, options)}
        changes={changes}
      >
        Simulates that the customer paid {formatAmount(payment.amount, payment.currency)} with the card 4242 4242 4242
        4242, and sends the webhooks. No money moves in test mode.
      </ChangeButton>
      <ChangeButton
        label="Fail payment"
        title="Fail this test payment?"
        change={({ test }, options) => test.failPayment(payment.reference, options)}
        changes={changes}
      >
        Simulates that the customer’s card was declined, and sends the webhooks.
      </ChangeButton>
    </>
  );
}

/** In live mode the operator of the service decides. */
function TestDecisions({ payment }: { payment: Payment }): ReactNode {
  const accepts = {
    change: ({ test }: TillhookSession, options: { idempotencyKey: string }) =>
      test.completePayment(payment.reference, options),
    changes,
  };
  if (payment.status === 'completed') {
    return (
      <ChangeButton {...accepts} label="Close review" title="Close this review?">
        Simulates that the operator of this service has given back what came in addition. Your wallet does not change.
      </ChangeButton>
    );
  }
  return (
    <>
      <ChangeButton {...accepts} label="Accept payment" title="Accept this test payment?">
        Simulates that the operator of this service accepts what arrived. The payment completes, and your wallet gets
        the whole {formatAmount(payment.amount, payment.currency)}, whatever the difference. The webhooks are sent. No
        money moves in test mode.
      </ChangeButton>
      <ChangeButton
        label="Refuse payment"
        title="Refuse this test payment?"
        change={({ test }, options) => test.failPayment(payment.reference, options)}
        changes={changes}
      >
        Simulates that the operator of this service refuses the payment and gives the money back. Your wallet does not
        change.
      </ChangeButton>
    </>
  );
}

/** Choice: the dialog has no field for a reason, because the service does not store one. */
function Cancel({ payment }: { payment: Payment }): ReactNode {
  return (
    <ChangeButton
      label="Cancel"
      title="Cancel this payment?"
      submitLabel="Cancel payment"
      keepLabel="Keep payment"
      isDangerous
      change={({ payments }, options) => payments.cancel(payment.reference, options)}
      changes={changes}
      onDone={() => void notify('Payment cancelled.')}
    >
      The customer can no longer pay {formatAmount(payment.amount, payment.currency)} with the link. The payment expires
      and the event checkout.expired is sent to your endpoints. If a card was declined before, the payment fails instead
      and the event is checkout.failed. This cannot be undone. To request the payment again, create another link.
    </ChangeButton>
  );
}
