import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { paged } from '../app/search.ts';
import { useRead } from '../app/use-read.ts';
import { DataTable } from '../kit/data-table.tsx';
import { Empty } from '../kit/empty.tsx';
import { choiceField } from '../kit/filter-fields.ts';
import { Filters } from '../kit/filters.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { ReadOnlyNote, useMayChange } from '../kit/may-change.tsx';
import { Page } from '../kit/page.tsx';
import { Pager } from '../kit/pager.tsx';
import { productColumns } from './product-columns.tsx';
import { ProductDialog } from './product-dialog.tsx';
import { productStatuses } from './product-filters.ts';

/** What the storefront offers and what was taken off it, newest first. */
export function ProductsPage(): ReactNode {
  const { page = 1, status } = useSearch({ from: '/$mode/products' });
  const navigate = useNavigate({ from: '/$mode/products' });
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
      <Filters
        fields={[choiceField('status', 'Status', productStatuses)]}
        chosen={{ status }}
        onChange={(changed) => void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })}
      />
      <Loaded read={products}>
        {({ products: rows, total }) =>
          rows.length === 0 ? (
            <NoProducts status={status} />
          ) : (
            <>
              <DataTable label="Products" columns={productColumns(mayChange)} rows={rows} keyOf={({ id }) => id} />
              <Pager
                page={page}
                total={total}
                onPage={(to) => void navigate({ search: (before) => ({ ...before, page: to }) })}
              />
            </>
          )
        }
      </Loaded>
      <ProductDialog isOpen={isCreating} onClose={close} />
    </Page>
  );
}

function NoProducts({ status }: { status: string | undefined }): ReactNode {
  if (status === 'archived')
    return <Empty title="No product is archived">Products that you archive appear here.</Empty>;
  return (
    <Empty title="There is no product yet">
      Add one with the button above. Your storefront reads the active ones by <code>storefront.listProducts</code>.
    </Empty>
  );
}
