import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Product, ProductList } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { paged } from '../app/search.ts';
import { useRead } from '../app/use-read.ts';
import { useMode, useTillhook } from '../app/use-tillhook.ts';
import type { Column } from '../kit/data-table.tsx';
import { Empty } from '../kit/empty.tsx';
import { Failure } from '../kit/failure.tsx';
import { Plus } from '../kit/icons.tsx';
import { tabsOf } from '../kit/list-tabs.tsx';
import { isolated } from '../kit/locale.ts';
import { ReadOnlyNote, useMayCall } from '../kit/may-call.tsx';
import { Moment } from '../kit/moment.tsx';
import { Money } from '../kit/money.tsx';
import { notify } from '../kit/notices.tsx';
import { Page } from '../kit/page.tsx';
import { isEmptyList, RecordList } from '../kit/record-list.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';
import { ProductDialog } from './product-dialog.tsx';
import { ProductImage } from './product-image.tsx';

export function ProductsPage(): ReactNode {
  const { page = 1, status, search } = useSearch({ from: '/$mode/products' });
  const [isCreating, { open, close }] = useDisclosure();
  const mayChange = useMayCall('createProduct');
  const query = { ...(status && { isActive: status === 'active' }), ...(search && { search }), ...paged({ page }) };
  const products = useRead({
    key: ['products', query],
    read: (tillhook, options) => tillhook.products.list(query, options),
    keepsPrevious: true,
  });
  const create = mayChange && (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={open}>
      Add product
    </Button>
  );
  const list = {
    read: products,
    listOf: ({ products: rows, total }: ProductList) => ({ rows, total }),
    tabs: { label: 'Status', name: 'status', all: tabs, chosen: status },
    search: { label: 'Search products', placeholder: 'Name, description or price' },
    filters: { fields: [], chosen: { search }, ...(search && { noMatch: 'No products match' }) },
  };
  return (
    <Page
      title="Products"
      about={<ReadOnlyNote what="change products" operations={['createProduct']} />}
      actions={!isEmptyList(list) && create}
      isWide
    >
      <RecordList
        {...list}
        name="products"
        label="Products"
        columns={productColumns(mayChange)}
        keyOf={({ id }) => id}
        empty={<NoProducts status={status} action={create} />}
      />
      <ProductDialog isOpen={isCreating} onClose={close} />
    </Page>
  );
}

const tabs = tabsOf({ active: { title: 'Active' }, archived: { title: 'Archived' } });

function NoProducts({ status, action }: { status: string | undefined; action: ReactNode }): ReactNode {
  if (status === 'archived') return <Empty title="No archived products">Products that you archive appear here.</Empty>;
  return (
    <Empty title="No products yet" action={status === undefined && action}>
      Your storefront reads active products with <code>storefront.listProducts</code>.
    </Empty>
  );
}

export function ProductActions({ product }: { product: Product }): ReactNode {
  const { name } = product;
  const [isEditing, { open, close }] = useDisclosure();
  return (
    <Group gap={6} wrap="nowrap">
      <Button size="compact-xs" variant="default" onClick={open} aria-label={`Edit ${name}`}>
        Edit
      </Button>
      <ArchiveButton product={product} />
      <ProductDialog product={product} isOpen={isEditing} onClose={close} />
    </Group>
  );
}

/** Choice: archiving asks for no confirmation, because nothing is deleted and the notice can undo it. */
function ArchiveButton({ product: { id, name, isActive } }: { product: Product }): ReactNode {
  const [mode, tillhook, queryClient] = [useMode(), useTillhook(), useQueryClient()];
  const set = (toActive: boolean) =>
    toActive ? tillhook.products.update(id, { isActive: true }) : tillhook.products.archive(id);
  const changing = useServiceMutation({
    mutate: (_tillhook, toActive: boolean) => set(toActive),
    changes: ['products'],
    onAnswer: (_product, toActive) =>
      void notify(wordsOf(name, toActive), async () => {
        await set(!toActive);
        await queryClient.invalidateQueries({ queryKey: [mode, 'products'] });
        return wordsOf(name, !toActive);
      }),
  });
  const label = isActive ? 'Archive' : 'Restore';
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        aria-busy={changing.isBusy}
        onClick={() => changing.mutate(!isActive)}
        aria-label={`${label} ${name}`}
      >
        {label}
      </Button>
      {changing.error && <Failure error={changing.error} onTryAgain={changing.again} />}
    </>
  );
}

function wordsOf(name: string, isActive: boolean): string {
  return isActive ? `${isolated(name)} restored` : `${isolated(name)} archived`;
}

export function productColumns(mayChange: boolean): Column<Product>[] {
  return [
    { title: 'Product', onPhone: 'lead', cell: (product) => <ProductName product={product} /> },
    {
      title: 'Price',
      isNumber: true,
      isNarrow: true,
      onPhone: 'who',
      cell: ({ price, currency }) => <Money {...{ amount: price, currency }} />,
    },
    {
      title: 'In stock',
      isNumber: true,
      isNarrow: true,
      onPhone: 'when',
      isNamedOnPhone: true,
      cell: ({ stock }) => stock ?? 'Unlimited',
    },
    {
      title: 'Status',
      isNarrow: true,
      onPhone: 'state',
      cell: ({ isActive }) => <StatusBadge status={isActive ? 'active' : 'archived'} />,
    },
    { title: 'Changed', isNarrow: true, cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
    ...(mayChange
      ? [
          {
            title: 'Change',
            isNarrow: true,
            onPhone: 'act' as const,
            cell: (product: Product) => <ProductActions product={product} />,
          },
        ]
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
