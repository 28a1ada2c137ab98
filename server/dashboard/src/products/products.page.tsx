import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paged } from '../app/search.ts';
import { useRead } from '../app/use-read.ts';
import { Empty } from '../kit/empty.tsx';
import { choiceField } from '../kit/filter-fields.ts';
import { Plus } from '../kit/icons.tsx';
import { ReadOnlyNote, useMayChange } from '../kit/may-change.tsx';
import { Page } from '../kit/page.tsx';
import { RecordList } from '../kit/record-list.tsx';
import { productColumns } from './product-columns.tsx';
import { ProductDialog } from './product-dialog.tsx';
import { productStatuses } from './product-filters.ts';

/** All products, newest first, with those that were removed from the storefront. */
export function ProductsPage(): ReactNode {
  const { page = 1, status } = useSearch({ from: '/$mode/products' });
  const [isCreating, { open, close }] = useDisclosure();
  const mayChange = useMayChange();
  const query = { ...(status && { isActive: status === 'active' }), ...paged({ page }) };
  const products = useRead({
    key: ['products', query],
    read: (tillhook, options) => tillhook.products.list(query, options),
    keepsPrevious: true,
  });
  const create = mayChange && (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={open}>
      Add a product
    </Button>
  );
  return (
    <Page title="Products" about={<ReadOnlyNote what="change products" />} actions={create}>
      <RecordList
        label="Products"
        read={products}
        listOf={({ products: rows, total }) => ({ rows, total })}
        columns={productColumns(mayChange)}
        keyOf={({ id }) => id}
        filters={{ fields, chosen: { status } }}
        empty={<NoProducts status={status} />}
      />
      <ProductDialog isOpen={isCreating} onClose={close} />
    </Page>
  );
}

const fields = [choiceField('status', 'Status', productStatuses)];

function NoProducts({ status }: { status: string | undefined }): ReactNode {
  if (status === 'archived')
    return <Empty title="No product is archived">Products that you archive appear here.</Empty>;
  return (
    <Empty title="There is no product yet">
      Add one with the button above. Your storefront reads the active ones by <code>storefront.listProducts</code>.
    </Empty>
  );
}
