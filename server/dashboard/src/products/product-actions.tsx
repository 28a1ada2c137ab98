import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Product } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { ChangeButton } from '../kit/change-button.tsx';
import { ProductDialog } from './product-dialog.tsx';

/** The actions for a product in the table. The name of each button contains the product, for screen readers. */
export function ProductActions({ product }: { product: Product }): ReactNode {
  const { id, name, isActive } = product;
  const [isEditing, { open, close }] = useDisclosure();
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end">
      <Button size="compact-xs" variant="default" onClick={open} aria-label={`Edit ${name}`}>
        Edit
      </Button>
      <ChangeButton
        label={isActive ? 'Archive' : 'Bring back'}
        name={`${isActive ? 'Archive' : 'Bring back'} ${name}`}
        size="compact-xs"
        title={isActive ? 'Archive this product?' : 'Bring this product back?'}
        change={({ products }) => (isActive ? products.archive(id) : products.update(id, { isActive: true }))}
        changes={['products']}
      >
        {isActive ? (
          <>
            The storefront stops offering <bdi>{name}</bdi>. Nothing is deleted, and you can bring it back.
          </>
        ) : (
          <>
            The storefront offers <bdi>{name}</bdi> again.
          </>
        )}
      </ChangeButton>
      <ProductDialog product={product} isOpen={isEditing} onClose={close} />
    </Group>
  );
}
