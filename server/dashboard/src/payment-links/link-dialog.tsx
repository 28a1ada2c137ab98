import { Anchor, Checkbox, Group, NativeSelect, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import type { PaymentLink, Product } from '@tillhook/sdk/session';
import { type ReactNode, useEffect, useRef } from 'react';
import { useSession } from '../app/session.ts';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { formatAmount } from '../kit/amount.ts';
import { AmountField, AmountFields } from '../kit/amount-fields.tsx';
import { useFieldErrors } from '../kit/field-problems.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { inZone } from '../kit/local-moment.ts';
import { useServiceMutation } from '../kit/use-service-mutation.ts';
import { changesOf, requestOf, type TypedLink, typedOf, useLinkForm } from './use-link-form.ts';

interface LinkDialogProps {
  /** The link to edit; undefined for a dialog that creates a link. */
  link?: PaymentLink;
  isOpen: boolean;
  onClose: () => void;
}

type Form = UseFormReturnType<TypedLink>;

export function LinkDialog({ link, isOpen, onClose }: LinkDialogProps): ReactNode {
  const { merchant } = useSession();
  const mode = useMode();
  const navigate = useNavigate();
  const form = useLinkForm(link);
  const opened = useRef(link);
  const saving = useServiceMutation({
    mutate: (tillhook, typed: TypedLink, options) =>
      link
        ? tillhook.paymentLinks.update(link.id, changesOf(typed, opened.current ?? link))
        : tillhook.paymentLinks.create(requestOf(typed), options),
    changes: ['payment-links'],
    onAnswer: async ({ id }) => {
      onClose();
      if (link) return;
      form.setValues(typedOf(undefined, merchant.currency));
      await navigate({ to: '/$mode/payment-links/$id', params: { mode, id } });
    },
  });
  useFieldErrors(form, saving.error);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form takes the link's values only when the dialog opens.
  useEffect(() => {
    if (!isOpen || !link || saving.isLost) return;
    opened.current = link;
    form.setValues(typedOf(link, merchant.currency));
  }, [isOpen]);
  return (
    <FormDialog
      title={link ? 'Edit payment link' : 'Create a payment link'}
      isOpen={isOpen}
      onClose={onClose}
      mutation={saving}
      onSubmit={form.onSubmit((values) => saving.mutate(values))}
      submitLabel={link ? 'Save' : 'Create link'}
      {...(!link && { needs: 'payment_processor' })}
    >
      <TextInput
        {...form.getInputProps('name')}
        label="Name"
        description="What the customer pays for. Shown on the page."
        maxLength={120}
        autoComplete="off"
        dir="auto"
      />
      {!link && <KindChoice form={form} />}
      <PriceFields form={form} isNew={!link} />
      <Textarea
        {...form.getInputProps('description')}
        label="Description"
        autosize
        maxRows={6}
        maxLength={2000}
        dir="auto"
      />
      <MoreFields form={form} isNew={!link} />
    </FormDialog>
  );
}

const kinds = [
  { value: 'fixed', label: 'Fixed amount' },
  { value: 'open', label: 'Customer chooses the amount' },
  { value: 'product', label: 'Product' },
];

function KindChoice({ form }: { form: Form }): ReactNode {
  return <NativeSelect {...form.getInputProps('kind')} label="Price" data={kinds} />;
}

function PriceFields({ form, isNew }: { form: Form; isNew: boolean }): ReactNode {
  const { kind, currency } = form.getValues();
  if (kind === 'product') return <ProductFields form={form} isNew={isNew} />;
  if (kind === 'fixed') {
    return isNew ? (
      <AmountFields label="Amount" amount={form.getInputProps('amount')} currency={form.getInputProps('currency')} />
    ) : (
      <AmountField {...form.getInputProps('amount')} label={`Amount (${currency})`} />
    );
  }
  return (
    <Stack gap="sm">
      {isNew ? (
        <AmountFields
          label="Minimum amount"
          amount={optional(form, 'minAmount')}
          currency={form.getInputProps('currency')}
        />
      ) : (
        <AmountField {...optional(form, 'minAmount')} label={`Minimum amount (${currency})`} />
      )}
      <Group gap="xs" grow align="flex-start">
        <AmountField {...optional(form, 'maxAmount')} label="Maximum amount" />
        <AmountField {...optional(form, 'suggestedAmount')} label="Suggested amount" />
      </Group>
      <Text size="xs" c="dimmed">
        The customer enters the amount. Leave a field empty for no limit.
      </Text>
    </Stack>
  );
}

function optional(form: Form, name: 'minAmount' | 'maxAmount' | 'suggestedAmount') {
  return { ...form.getInputProps(name), required: false };
}

function ProductFields({ form, isNew }: { form: Form; isNew: boolean }): ReactNode {
  // The storefront has all active products, of which there are at most 1,000.
  const products = useRead({
    key: ['products', 'storefront'],
    read: (tillhook, options) => tillhook.storefront.listProducts({}, options),
    isEnabled: isNew,
  });
  const { choosesQuantity } = form.getValues();
  const found = products.data?.products ?? [];
  return (
    <Stack gap="sm">
      {isNew && (
        <Select
          {...form.getInputProps('productId')}
          label="Product"
          placeholder={products.isSuccess && found.length === 0 ? 'No products yet' : 'Type a part of the name'}
          data={found.map(optionOf)}
          searchable
          limit={50}
          nothingFoundMessage="No product has this name"
          comboboxProps={{ withinPortal: false }}
        />
      )}
      <Checkbox
        {...form.getInputProps('choosesQuantity', { type: 'checkbox' })}
        label="Let the customer choose the quantity"
        onChange={({ currentTarget: { checked } }) => {
          form.setFieldValue('choosesQuantity', checked);
          // With a maximum of 1 there would be nothing to choose.
          if (checked && form.getValues().quantity === '1') form.setFieldValue('quantity', '10');
          if (!checked) form.setFieldValue('quantity', '1');
        }}
      />
      <TextInput
        {...form.getInputProps('quantity')}
        label={choosesQuantity ? 'Maximum quantity' : 'Quantity'}
        inputMode="numeric"
        maxLength={4}
      />
    </Stack>
  );
}

function optionOf({ id, name, price, currency }: Product) {
  return { value: id, label: `${name}, ${formatAmount(price, currency)}` };
}

function MoreFields({ form, isNew }: { form: Form; isNew: boolean }): ReactNode {
  const [isOpen, { open }] = useDisclosure(!isNew);
  const hasError = ['slug', 'expiresAt', 'maxPayments', 'callbackUrl'].some((name) => form.errors[name]);
  if (!isOpen && !hasError) {
    return (
      <Anchor component="button" type="button" size="sm" ta="start" onClick={open}>
        More options
      </Anchor>
    );
  }
  return (
    <>
      {isNew && (
        <TextInput
          {...form.getInputProps('slug')}
          label="End of the address"
          description="For example, spring-fundraiser. Leave empty for a random one."
          autoComplete="off"
          maxLength={64}
        />
      )}
      <TextInput {...form.getInputProps('expiresAt')} label={inZone('Expires')} type="datetime-local" />
      <TextInput
        {...form.getInputProps('maxPayments')}
        label="Maximum number of payments"
        description="Leave empty for no limit."
        inputMode="numeric"
        maxLength={9}
      />
      <TextInput
        {...form.getInputProps('callbackUrl')}
        label="Return URL"
        description="Where customers go after they have paid."
        type="url"
        placeholder="https://shop.example.com/thanks"
        maxLength={2048}
        autoComplete="off"
      />
    </>
  );
}
