import { Group, Text } from '@mantine/core';
import type { Product } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import type { Column } from '../kit/data-table.tsx';
import { Moment } from '../kit/moment.tsx';
import { Money } from '../kit/money.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { ProductActions } from './product-actions.tsx';
import { ProductImage } from './product-image.tsx';

export function productColumns(mayChange: boolean): Column<Product>[] {
  return [
    { title: 'Product', cell: (product) => <ProductName product={product} /> },
    {
      title: 'Price',
      isNumber: true,
      isNarrow: true,
      cell: ({ price, currency }) => <Money {...{ amount: price, currency }} />,
    },
    { title: 'Left', isNumber: true, isNarrow: true, cell: ({ stock }) => stock ?? 'Unlimited' },
    {
      title: 'Status',
      isNarrow: true,
      cell: ({ isActive }) => <StatusBadge status={isActive ? 'active' : 'archived'} />,
    },
    { title: 'Changed', isNarrow: true, cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
    ...(mayChange
      ? [{ title: 'Actions', isNarrow: true, cell: (product: Product) => <ProductActions product={product} /> }]
      : []),
  ];
}

function ProductName({ product: { name, description, imageUrl } }: { product: Product }): ReactNode {
  return (
    <Group gap="sm" wrap="nowrap">
      <ProductImage address={imageUrl} size={36} />
      <div>
        <Text size="sm" fw={600} component="bdi" display="block">
          {name}
        </Text>
        {description && (
          <Text size="xs" c="dimmed" component="bdi" lineClamp={1}>
            {description}
          </Text>
        )}
      </div>
    </Group>
  );
}
