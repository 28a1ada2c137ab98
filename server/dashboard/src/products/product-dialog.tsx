import { Group, Text, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Product, ProductRequest } from '@tillhook/sdk/session';
import { type ReactNode, useEffect, useState } from 'react';
import { useSession } from '../app/session.ts';
import { formatAmount, readAmount } from '../kit/amount.ts';
import { AmountFields } from '../kit/amount-fields.tsx';
import { useFieldErrors } from '../kit/field-problems.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';
import { canBeShown, ProductImage } from './product-image.tsx';
import { isWebAddress, requestOf, typedOf, useProductForm } from './use-product-form.ts';

interface ProductDialogProps {
  /** The product to edit; undefined for a dialog that creates a product. */
  product?: Product;
  isOpen: boolean;
  onClose: () => void;
}

export function ProductDialog({ product, isOpen, onClose }: ProductDialogProps): ReactNode {
  const { merchant } = useSession();
  const form = useProductForm(product);
  const saving = useServiceMutation({
    mutate: (tillhook, input: ProductRequest, options) =>
      product ? tillhook.products.update(product.id, input) : tillhook.products.create(input, options),
    changes: ['products'],
    onAnswer: () => {
      onClose();
      form.setValues(typedOf(undefined, merchant.currency));
    },
  });
  useFieldErrors(form, saving.error);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form takes the product's values only when the dialog opens.
  useEffect(() => {
    if (isOpen && product && !saving.isLost) form.setValues(typedOf(product, merchant.currency));
  }, [isOpen]);
  return (
    <FormDialog
      title={product ? 'Edit product' : 'Add product'}
      isOpen={isOpen}
      onClose={onClose}
      mutation={saving}
      onSubmit={form.onSubmit((values) => saving.mutate(requestOf(values)))}
      submitLabel={product ? 'Save' : 'Add product'}
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
        label="Stock"
        description="Leave empty for unlimited stock."
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

type State = 'loading' | 'shown' | 'failed';

interface ImageFieldProps {
  value?: string;
  onChange?: (event: never) => void;
  error?: ReactNode;
}

export function ImageField({ value = '', onChange, error }: ImageFieldProps): ReactNode {
  const [address] = useDebouncedValue(value.trim(), 400);
  const [state, setState] = useState<State>('loading');
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads the image again whenever the URL changes.
  useEffect(() => setState('loading'), [address]);
  const isAddress = isWebAddress(address);
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <TextInput
        value={value}
        onChange={onChange}
        error={error}
        flex={1}
        label="Image URL"
        type="url"
        placeholder="https://shop.example.com/mug.webp"
        maxLength={2048}
        autoComplete="off"
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        description={isAddress ? problemOf(address, state) : undefined}
      />
      <div>
        <Text size="xs" c="dimmed">
          Preview
        </Text>
        <ProductImage
          address={isAddress ? address : null}
          size={56}
          onLoaded={() => setState('shown')}
          onFailure={() => setState('failed')}
        />
      </div>
    </Group>
  );
}

function problemOf(address: string, state: State): string | undefined {
  if (!canBeShown(address)) return 'Only images with https addresses are shown here. You can still save this one.';
  return state === 'failed' ? 'The image could not be loaded. You can still save the address.' : undefined;
}
