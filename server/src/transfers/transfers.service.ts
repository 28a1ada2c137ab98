import type { Called, Context } from '../context.ts';
import { createdBetween, type Page, type Paged } from '../kit/pagination.ts';
import { Transfer, type TransferStatus } from './transfer.entity.ts';

export interface TransferFilter {
  status?: TransferStatus;
  reference?: string;
  from?: string;
  to?: string;
}

export async function listTransfers(
  context: Context & Called,
  filter: TransferFilter,
  page: Page,
): Promise<Paged<Transfer>> {
  const { merchantId, mode } = context.principal;
  const { status, reference } = filter;
  const where = {
    merchantId,
    mode,
    ...(status && { status }),
    ...(reference && { reference }),
    ...createdBetween(filter),
  };
  const [records, total] = await context.em.findAndCount(Transfer, where, { ...page, orderBy: { id: 'desc' } });
  return { records, total };
}
