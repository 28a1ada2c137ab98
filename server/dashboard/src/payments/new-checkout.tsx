import { Button, Checkbox, Code, CopyButton, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import type { CheckoutSession } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { useSession } from '../app/session.ts';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { amountProblem, formatAmount, readAmount } from '../kit/amount.ts';
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

/** Choice: 24 hours, because a customer who receives a link pays on that day or the next, or asks for another link. */
const lifeHours = 24;

export function NewCheckout({ isOpen, onClose }: DialogProps): ReactNode {
  const [made, setMade] = useState<CheckoutSession['data']>();
  const mode = useMode();
  const form = useCheckoutForm();
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
      onSubmit={form.onSubmit((values) => creating.mutate(inputOf(values)))}
      submitLabel="Create the link"
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
        description="What it is for; the customer sees it on the page. It may stay empty."
        autosize
        maxLength={200}
        dir="auto"
      />
      <ReceiptChoice form={form} />
      <Text size="sm" role="status">
        {amount ? `The customer is asked for ${formatAmount(amount, currency)}. ` : ''}The link works for {lifeHours}{' '}
        hours{mode === 'test' && ', and after a declined card for 15 minutes more at most'}.
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
      description="To the customer’s email, and mails about refunds as well."
    />
  );
}

function useCheckoutForm() {
  const { merchant } = useSession();
  return useForm<Typed>({
    initialValues: { amount: '', currency: merchant.currency, email: '', description: '', receipt: true },
    validate: {
      amount: (typed, { currency }) => amountProblem(typed, currency),
      email: (typed) => (/^\S+@\S+$/.test(typed.trim()) ? null : 'Type an email address such as ada@example.com.'),
    },
  });
}

function inputOf({ amount, currency, email, description, receipt }: Typed) {
  const about = description.trim();
  return {
    amount: readAmount(amount, currency) ?? 0,
    currency,
    email: email.trim(),
    expiresIn: lifeHours * 3_600,
    ...(about && { description: about }),
    ...(!receipt && { receipt }),
  };
}

function Made({ made, isOpen, onClose }: DialogProps & { made: CheckoutSession['data'] }): ReactNode {
  const mode = useMode();
  const { checkoutUrl, reference } = made;
  return (
    <Dialog opened={isOpen} onClose={onClose} title="Send this link">
      <Stack gap="md">
        <Text size="sm">
          Anyone with this link can pay, once. The page of the payment shows it too while it is pending.
        </Text>
        <Code p="xs" style={{ overflowWrap: 'anywhere' }}>
          {checkoutUrl}
        </Code>
        <Group justify="flex-end" gap="xs">
          <Button component="a" variant="default" href={checkoutUrl} target="_blank" rel="noreferrer">
            Open it
          </Button>
          <ButtonLink variant="default" to="/$mode/payments/$reference" params={{ mode, reference }}>
            See the payment
          </ButtonLink>
          <CopyButton value={checkoutUrl}>
            {({ copied, copy }) => <Button onClick={copy}>{copied ? 'Copied' : 'Copy the link'}</Button>}
          </CopyButton>
        </Group>
      </Stack>
    </Dialog>
  );
}
