import { Text, Textarea, TextInput } from '@mantine/core';
import type { Product, ProductRequest } from '@tillhook/sdk/session';
import { type ReactNode, useEffect } from 'react';
import { useSession } from '../app/session.ts';
import { formatAmount, readAmount } from '../kit/amount.ts';
import { AmountFields } from '../kit/amount-fields.tsx';
import { useFieldErrors } from '../kit/field-problems.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { useAsk } from '../kit/use-ask.ts';
import { ImageField } from './image-field.tsx';
import { requestOf, typedOf, useProductForm } from './use-product-form.ts';

interface ProductDialogProps {
  /** The product to change. A new product when omitted. */
  product?: Product;
  isOpen: boolean;
  onClose: () => void;
}

/** A form with all fields of a product. */
export function ProductDialog({ product, isOpen, onClose }: ProductDialogProps): ReactNode {
  const { merchant } = useSession();
  const form = useProductForm(product);
  const saving = useAsk({
    ask: (tillhook, input: ProductRequest, options) =>
      product ? tillhook.products.update(product.id, input) : tillhook.products.create(input, options),
    changes: ['products'],
    onAnswer: () => {
      onClose();
      form.setValues(typedOf(undefined, merchant.currency));
    },
  });
  useFieldErrors(form, saving.error);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is there now is what is changed, from when the dialog opens.
  useEffect(() => {
    if (isOpen && product && !saving.isLost) form.setValues(typedOf(product, merchant.currency));
  }, [isOpen]);
  return (
    <FormDialog
      title={product ? 'Edit the product' : 'Add a product'}
      isOpen={isOpen}
      onClose={onClose}
      asking={saving}
      onSubmit={form.onSubmit((values) => saving.ask(requestOf(values)))}
      submitLabel={product ? 'Save' : 'Add it'}
    >
      <TextInput {...form.getInputProps('name')} label="Name" maxLength={120} autoComplete="off" dir="auto" />
      <Textarea
        {...form.getInputProps('description')}
        label="Description"
        autosize
        maxRows={6}
        maxLength={2000}
        dir="auto"
      />
      <AmountFields label="Price" amount={form.getInputProps('price')} currency={form.getInputProps('currency')} />
      <TextInput
        {...form.getInputProps('stock')}
        label="How many are left"
        description="Leave it empty for unlimited stock."
        inputMode="numeric"
        maxLength={9}
      />
      <ImageField {...form.getInputProps('imageUrl')} />
      <Price {...form.getValues()} />
    </FormDialog>
  );
}

function Price({ price, currency }: { price: string; currency: string }): ReactNode {
  const amount = readAmount(price, currency);
  return (
    <Text size="sm" role="status">
      {amount ? `It costs ${formatAmount(amount, currency)}.` : ''}
    </Text>
  );
}
