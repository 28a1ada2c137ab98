import { Group, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useEffect, useState } from 'react';
import { canBeShown, ProductImage } from './product-image.tsx';
import { isWebAddress } from './use-product-form.ts';

type State = 'loading' | 'shown' | 'failed';

interface ImageFieldProps {
  value?: string;
  onChange?: (event: never) => void;
  error?: ReactNode;
}

/** A field for the address of an image, with the image as customers will see it. */
export function ImageField({ value = '', onChange, error }: ImageFieldProps): ReactNode {
  const [address] = useDebouncedValue(value.trim(), 400);
  const [state, setState] = useState<State>('loading');
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each address the picture is loaded again.
  useEffect(() => setState('loading'), [address]);
  const isAddress = isWebAddress(address);
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <TextInput
        value={value}
        onChange={onChange}
        error={error}
        flex={1}
        label="Address of a picture"
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
  if (!canBeShown(address))
    return 'Only pictures of https addresses are shown here. You can save this one all the same.';
  return state === 'failed'
    ? 'No picture could be loaded from there. You can save the address all the same.'
    : undefined;
}
