import type { Context } from '../context.ts';
import { AppError } from '../kit/errors.ts';
import type { Mode } from '../kit/mode.ts';
import type { Merchant } from '../people/merchants/merchant.entity.ts';
import { getMerchant, listMerchants } from '../people/merchants/merchants.service.ts';

export async function chooseMerchant(context: Context, id: string | undefined): Promise<Merchant> {
  if (id !== undefined) return getMerchant(context, id);
  const [only, another] = await listMerchants(context);
  if (!only)
    throw new AppError('missing_parameter', 'There is no merchant yet: make one with tillhook merchants create');
  if (!another) return only;
  throw new AppError(
    'missing_parameter',
    'There is more than one merchant: pass --merchant with an id that tillhook merchants list shows',
  );
}

export function ownedBy<In extends Context>(
  context: In,
  { id: merchantId, currency }: Pick<Merchant, 'id' | 'currency'>,
  mode: Mode,
) {
  return { ...context, principal: { merchantId, mode, currency } };
}
