import type { WriteContext } from '../../context.ts';
import { noteOperatorAct } from '../../people/audit/audit.service.ts';
import type { Merchant } from '../../people/merchants/merchant.entity.ts';
import {
  createMerchant,
  getMerchant,
  listMerchants,
  resumeMerchant,
  setTransferFee,
  suspendMerchant,
} from '../../people/merchants/merchants.service.ts';
import type { Report } from '../report.ts';
import { shownAmount } from './shown-amount.ts';

const headings = ['ID', 'NAME', 'CURRENCY', 'TRANSFER FEE', 'STATUS'];

export async function create(context: WriteContext, given: { name: string; currency: string }): Promise<Report> {
  const merchant = createMerchant(context, given);
  const note = `${merchant.name} has no key yet: tillhook keys create --mode test --merchant ${merchant.id}`;
  return { record: merchantRecord(merchant), answer: merchant.id, note };
}

export async function list(context: WriteContext): Promise<Report> {
  const merchants = await listMerchants(context);
  const record = merchants.map(merchantRecord);
  if (merchants.length === 0) return { record, note: 'There are no merchants.' };
  const rows = record.map(({ id, name, currency, transferFee, status }) => [
    id,
    name,
    currency,
    shownAmount({ amount: transferFee, currency }),
    status,
  ]);
  return { record, answer: { headings, rows } };
}

export async function setFee(
  context: WriteContext,
  { which, amount }: { which: string; amount: bigint },
): Promise<Report> {
  const merchant = await getMerchant(context, which);
  setTransferFee(merchant, amount);
  noteOperatorAct(context, { merchantId: merchant.id, mode: null, action: 'setTransferFee', subject: String(amount) });
  const fee = shownAmount({ amount: Number(amount), currency: merchant.currency });
  const note = `Each transfer of ${merchant.name} costs ${fee} from now on.`;
  return { record: merchantRecord(merchant), note };
}

export async function suspend(context: WriteContext, { which }: { which: string }): Promise<Report> {
  const merchant = await getMerchant(context, which);
  await suspendMerchant(context, merchant);
  noteOperatorAct(context, { merchantId: merchant.id, mode: null, action: 'suspendMerchant', subject: null });
  return { record: merchantRecord(merchant), note: `${merchant.name} is suspended: its calls are refused.` };
}

export async function resume(context: WriteContext, { which }: { which: string }): Promise<Report> {
  const merchant = await getMerchant(context, which);
  resumeMerchant(merchant);
  noteOperatorAct(context, { merchantId: merchant.id, mode: null, action: 'resumeMerchant', subject: null });
  return { record: merchantRecord(merchant), note: `${merchant.name} is active again: its calls are accepted.` };
}

function merchantRecord(merchant: Merchant) {
  const { id, name, currency, createdAt, suspendedAt } = merchant;
  const transferFee = Number(merchant.transferFee);
  return { id, name, currency, transferFee, status: statusOf(merchant), createdAt, suspendedAt: suspendedAt ?? null };
}

function statusOf({ suspendedAt }: Merchant): 'active' | 'suspended' {
  return suspendedAt ? 'suspended' : 'active';
}
