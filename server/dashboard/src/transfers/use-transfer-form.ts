import { type UseFormReturnType, useForm } from '@mantine/form';
import type { TransferRequest } from '@tillhook/sdk/session';
import { useSession } from '../app/session.ts';
import { amountProblem, readAmount } from '../kit/amount.ts';
import { newReference } from '../kit/new-reference.ts';

/** The properties have the names of the API's fields, so that the form shows an error of the API at the right field. */
export interface TypedTransfer {
  amount: string;
  currency: string;
  recipient: { name: string; accountNumber: string; bankCode: string };
  narration: string;
  reference: string;
}

export function useTransferForm(): UseFormReturnType<TypedTransfer> {
  const { currency } = useSession().merchant;
  return useForm<TypedTransfer>({
    initialValues: emptyTransfer(currency),
    validate: {
      amount: (typed, { currency: wanted }) => amountProblem(typed, wanted),
      recipient: {
        name: (typed) => (typed.trim() ? null : 'Enter the name of the account holder.'),
        accountNumber: (typed) =>
          /^[\dA-Za-z]{4,34}$/.test(plain(typed)) ? null : 'Enter 4 to 34 letters and digits.',
        bankCode: (typed) => (/^[\dA-Za-z]{2,20}$/.test(typed.trim()) ? null : 'Enter 2 to 20 letters and digits.'),
      },
      reference: (typed) =>
        /^[\w.=-]{6,64}$/.test(typed.trim()) ? null : 'Enter 6 to 64 letters, digits and the characters . _ = -',
    },
  });
}

export function emptyTransfer(currency: string): TypedTransfer {
  const recipient = { name: '', accountNumber: '', bankCode: '' };
  return { amount: '', currency, recipient, narration: '', reference: newReference('payout') };
}

export function requestOf({ amount, currency, recipient, narration, reference }: TypedTransfer): TransferRequest {
  return {
    reference: reference.trim(),
    amount: readAmount(amount, currency) ?? 0,
    currency,
    recipient: {
      name: recipient.name.trim(),
      accountNumber: plain(recipient.accountNumber),
      bankCode: recipient.bankCode.trim(),
    },
    ...(narration.trim() && { narration: narration.trim() }),
  };
}

/** Removes spaces, because users often type an IBAN in groups of four. */
export function plain(accountNumber: string): string {
  return accountNumber.replaceAll(/\s/g, '');
}
