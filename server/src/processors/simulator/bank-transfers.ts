/** The account depends only on the attempt, so the simulator need not store it. No money arrives by itself. */
import type { BankAccount } from '../../kit/payment-method.ts';
import type { BankTransfers, Charge, Verdict } from '../port.ts';

const currencies: readonly string[] = ['NGN', 'GHS', 'KES', 'ZAR', 'EUR', 'GBP'];

export const simulatedTransfers: BankTransfers = {
  accepts: (_amount, currency) => currencies.includes(currency),
  open: async (charge) => waiting(charge),
};

/** The simulator's id for an attempt that waits for a bank transfer. */
const processorId = 'simulated_transfer';

export function waiting(charge: Charge): Verdict {
  return { result: 'open', processorId, account: accountOf(charge) };
}

function accountOf({ attemptId, currency, expiresAt }: Charge): BankAccount {
  const random = BigInt(`0x${attemptId.replaceAll('-', '').slice(-12)}`);
  const digits = (random % 10_000_000_000n).toString().padStart(10, '0');
  return {
    // No real account has the check digits 00, so no real money can be sent to it.
    number:
      currency === 'EUR' ? `DE00 0000 0000 ${digits.slice(0, 4)} ${digits.slice(4, 8)} ${digits.slice(8)}` : digits,
    bank: 'Test Bank',
    holder: 'Tillhook Test',
    reference: `TH-${attemptId.slice(-8).toUpperCase()}`,
    expiresAt: expiresAt.toISOString(),
  };
}
