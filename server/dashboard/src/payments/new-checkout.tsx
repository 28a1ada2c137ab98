import { Button, Checkbox, Code, CopyButton, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import type { CheckoutSession, Payment } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { useSession } from '../app/session.ts';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { amountProblem, formatAmount, readAmount, writeAmount } from '../kit/amount.ts';
import { AmountFields } from '../kit/amount-fields.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { useFieldErrors } from '../kit/field-problems.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { ButtonLink } from '../kit/links.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
}

interface NewCheckoutProps extends DialogProps {
  /** A payment that was not made, whose content the new checkout has too. */
  like?: Payment;
}

/** Choice: 24 hours, because a customer who receives a link pays on that day or the next, or asks for another link. */
const lifeHours = 24;

export function NewCheckout({ isOpen, onClose, like }: NewCheckoutProps): ReactNode {
  const [made, setMade] = useState<CheckoutSession['data']>();
  const mode = useMode();
  const form = useCheckoutForm(like);
  const creating = useServiceMutation({
    mutate: (tillhook, input: ReturnType<typeof inputOf>, options) => tillhook.checkout.create(input, options),
    changes: ['payments', 'events'],
    onAnswer: ({ data }) => {
      setMade(data);
      form.reset();
    },
  });
  useFieldErrors(form, creating.error);
  const forget = () => {
    onClose();
    setMade(undefined);
  };
  if (made) return <Made made={made} isOpen={isOpen} onClose={forget} />;
  const { amount: typed, currency } = form.getValues();
  const amount = readAmount(typed, currency);
  return (
    <FormDialog
      title="Create a checkout link"
      isOpen={isOpen}
      onClose={onClose}
      mutation={creating}
      onSubmit={form.onSubmit((values) => creating.mutate(inputOf(values, like)))}
      submitLabel="Create link"
      needs="payment_processor"
    >
      <AmountFields label="Amount" amount={form.getInputProps('amount')} currency={form.getInputProps('currency')} />
      <TextInput
        {...form.getInputProps('email')}
        label="Customer’s email"
        inputMode="email"
        autoComplete="off"
        required
        withAsterisk={false}
        maxLength={254}
      />
      <Textarea
        {...form.getInputProps('description')}
        label="Description"
        description="Optional. Shown to the customer on the checkout page."
        autosize
        maxLength={200}
        dir="auto"
      />
      <ReceiptChoice form={form} />
      {like && (
        <Text size="sm">
          The new payment has its own reference, and the metadata and return addresses of this one.
          {like.lineItems.length > 0 && ' It has the same items too, unless you change the amount.'}
        </Text>
      )}
      <Text size="sm" role="status">
        {amount ? `The customer pays ${formatAmount(amount, currency)}.` : null}{' '}
        {mode === 'test'
          ? `The link works for ${lifeHours} hours, and for up to 15 minutes longer after a decline.`
          : `The link works for ${lifeHours} hours.`}
      </Text>
    </FormDialog>
  );
}

interface Typed {
  amount: string;
  currency: string;
  email: string;
  description: string;
  receipt: boolean;
}

/** Where no mail would be sent anyway, nothing is asked. */
function ReceiptChoice({ form }: { form: UseFormReturnType<Typed> }): ReactNode {
  const mode = useMode();
  const { data: settings } = useRead({
    key: ['settings'],
    read: (tillhook, options) => tillhook.settings.get(options),
  });
  if (!settings?.sendReceipts || (mode === 'test' && settings.mailDelivery !== 'mailbox')) return null;
  return (
    <Checkbox
      {...form.getInputProps('receipt', { type: 'checkbox' })}
      label="Send a receipt"
      description="Emails the customer a receipt, and updates about refunds."
    />
  );
}

function useCheckoutForm(like: Payment | undefined) {
  const { merchant } = useSession();
  const { currency = merchant.currency, customerEmail = '', description } = like ?? {};
  return useForm<Typed>({
    initialValues: {
      amount: like ? writeAmount(like.amount, like.currency) : '',
      currency,
      email: customerEmail,
      description: description ?? '',
      receipt: true,
    },
    validate: {
      amount: (typed, { currency }) => amountProblem(typed, currency),
      email: (typed) => (/^\S+@\S+$/.test(typed.trim()) ? null : 'Enter an email address such as ada@example.com.'),
    },
  });
}

function inputOf({ amount: typed, currency, email, description, receipt }: Typed, like?: Payment) {
  const about = description.trim();
  const amount = readAmount(typed, currency) ?? 0;
  return {
    amount,
    currency,
    ...(like && restOf(like, { amount, currency })),
    email: email.trim(),
    expiresIn: lifeHours * 3_600,
    ...(about && { description: about }),
    ...(!receipt && { receipt }),
  };
}

/** The items must add up to the amount, so a different amount leaves them out. */
function restOf(like: Payment, { amount, currency }: Pick<Payment, 'amount' | 'currency'>) {
  const { metadata, callbackUrl, cancelUrl, lineItems } = like;
  const isSameAmount = amount === like.amount && currency === like.currency;
  return {
    metadata,
    ...(callbackUrl && { callbackUrl }),
    ...(cancelUrl && { cancelUrl }),
    ...(isSameAmount && lineItems.length > 0 && { lineItems }),
  };
}

function Made({ made, isOpen, onClose }: DialogProps & { made: CheckoutSession['data'] }): ReactNode {
  const mode = useMode();
  const { checkoutUrl, reference } = made;
  return (
    <Dialog opened={isOpen} onClose={onClose} title="Send this link">
      <Stack gap="md">
        <Text size="sm">
          Anyone with this link can pay once. You can also find it on the payment’s page while it is pending.
        </Text>
        <Code p="xs" style={{ overflowWrap: 'anywhere' }}>
          {checkoutUrl}
        </Code>
        <Group justify="flex-end" gap="xs">
          <Button component="a" variant="default" href={checkoutUrl} target="_blank" rel="noreferrer">
            Open
          </Button>
          <ButtonLink variant="default" to="/$mode/payments/$reference" params={{ mode, reference }}>
            View payment
          </ButtonLink>
          <CopyButton value={checkoutUrl}>
            {({ copied, copy }) => <Button onClick={copy}>{copied ? 'Copied' : 'Copy link'}</Button>}
          </CopyButton>
        </Group>
      </Stack>
    </Dialog>
  );
}
