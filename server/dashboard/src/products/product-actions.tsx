import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Product, TillhookSession } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { FormDialog } from '../kit/form-dialog.tsx';
import { useAsk } from '../kit/use-ask.ts';
import { ProductDialog } from './product-dialog.tsx';

/** What can be done with a product of the table. Each button names its product for screen readers. */
export function ProductActions({ product }: { product: Product }): ReactNode {
  const [isEditing, { open, close }] = useDisclosure();
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end">
      <Button size="compact-xs" variant="default" onClick={open} aria-label={`Edit ${product.name}`}>
        Edit
      </Button>
      {product.isActive ? (
        <Change
          product={product}
          label="Archive"
          title="Archive this product?"
          change={(tillhook, id) => tillhook.products.archive(id)}
        >
          The storefront stops offering <bdi>{product.name}</bdi>. Nothing is deleted, and you can bring it back.
        </Change>
      ) : (
        <Change
          product={product}
          label="Bring back"
          title="Bring this product back?"
          change={(tillhook, id) => tillhook.products.update(id, { isActive: true })}
        >
          The storefront offers <bdi>{product.name}</bdi> again.
        </Change>
      )}
      <ProductDialog product={product} isOpen={isEditing} onClose={close} />
    </Group>
  );
}

interface ChangeProps {
  product: Product;
  label: string;
  title: string;
  change: (tillhook: TillhookSession, id: string) => PromiseLike<Product>;
  children: ReactNode;
}

function Change({ product, label, title, change, children }: ChangeProps): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  const changing = useAsk({ ask: change, changes: ['products'], onAnswer: close });
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={open} aria-label={`${label} ${product.name}`}>
        {label}
      </Button>
      <FormDialog
        title={title}
        isOpen={isOpen}
        onClose={close}
        asking={changing}
        onSubmit={() => changing.ask(product.id)}
        submitLabel={label}
      >
        <Text size="sm">{children}</Text>
      </FormDialog>
    </>
  );
}
