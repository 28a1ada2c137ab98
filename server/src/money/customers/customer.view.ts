import type { Customer as CustomerRecord } from '@tillhook/openapi';
import type { CsvColumns } from '../../kit/csv.ts';
import type { Mode } from '../../kit/mode.ts';
import { amountInJson, decimalAmount } from '../../kit/money.ts';
import type { Customer } from './customers.service.ts';

export function customerView({ id, email, figures, countedAt }: Customer, mode: Mode): CustomerRecord {
  const times = figures.flatMap(({ firstAt, lastAt }) => [Date.parse(firstAt), Date.parse(lastAt)]);
  const paid = figures.filter(({ completed }) => completed > 0);
  return {
    id,
    email,
    payments: sumOf(figures.map(({ payments }) => payments)),
    completedPayments: sumOf(figures.map(({ completed }) => completed)),
    volumes: paid
      .toSorted((a, b) => b.completed - a.completed || (a.currency < b.currency ? -1 : 1))
      .map(({ currency, completed, amount, refunded }) => ({
        currency,
        payments: completed,
        amount: amountInJson(BigInt(amount)),
        amountRefunded: amountInJson(BigInt(refunded)),
      })),
    firstPaymentAt: new Date(Math.min(...times)).toISOString(),
    lastPaymentAt: new Date(Math.max(...times)).toISOString(),
    mode,
    countedAt: countedAt?.toISOString() ?? null,
  };
}

const sumOf = (numbers: number[]): number => numbers.reduce((sum, one) => sum + one, 0);

export const customerColumns: CsvColumns<CustomerRecord> = {
  id: ({ id }) => id,
  email: ({ email }) => email,
  payments: ({ payments }) => payments,
  completedPayments: ({ completedPayments }) => completedPayments,
  currency: ({ volumes: [first] }) => first?.currency ?? null,
  amount: ({ volumes: [first] }) => first?.amount ?? null,
  amountDecimal: ({ volumes: [first] }) => decimal(first?.amount, first?.currency),
  amountRefunded: ({ volumes: [first] }) => first?.amountRefunded ?? null,
  amountRefundedDecimal: ({ volumes: [first] }) => decimal(first?.amountRefunded, first?.currency),
  firstPaymentAt: ({ firstPaymentAt }) => firstPaymentAt,
  lastPaymentAt: ({ lastPaymentAt }) => lastPaymentAt,
  mode: ({ mode }) => mode,
  volumes: ({ volumes }) => JSON.stringify(volumes),
  countedAt: ({ countedAt }) => countedAt,
};

function decimal(amount: number | undefined, currency = ''): { decimal: string } | null {
  return amount === undefined ? null : { decimal: decimalAmount(amount, currency) };
}
