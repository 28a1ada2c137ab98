import { type UseFormReturnType, useForm } from '@mantine/form';
import type { FundingRequest, Wallet } from '@tillhook/sdk/session';
import type { FormEvent } from 'react';
import { useSession } from '../app/session.ts';
import { amountProblem, readAmount } from '../kit/amount.ts';
import { useFieldErrors } from '../kit/field-problems.ts';
import { type Asking, useAsk } from '../kit/use-ask.ts';

/** Amounts are in the minor unit of the currency. */
type TestMoney = FundingRequest & { currency: string };

interface Funding {
  form: UseFormReturnType<{ amount: string; currency: string }>;
  /** The typed amount in the minor unit of the currency. Null while it is not a valid amount. */
  amount: number | null;
  asking: Asking<TestMoney>;
  fund: (event?: FormEvent<HTMLFormElement>) => void;
}

/** Adds test money to the Transfer wallet, so that transfers can be tried. */
export function useFunding(onFunded: (wallet: Wallet, funded: TestMoney) => void): Funding {
  const { merchant } = useSession();
  const form = useForm({
    initialValues: { amount: '', currency: merchant.currency },
    validate: { amount: (typed, { currency }) => amountProblem(typed, currency) },
  });
  const asking = useAsk({
    ask: ({ test }, input: TestMoney, options) => test.fundWallet(input, options),
    changes: ['wallets', 'statistics'],
    onAnswer: onFunded,
  });
  useFieldErrors(form, asking.error);
  const { amount: typed, currency } = form.getValues();
  return {
    form,
    amount: readAmount(typed, currency),
    asking,
    fund: form.onSubmit((values) => asking.ask({ ...values, amount: readAmount(values.amount, values.currency) ?? 0 })),
  };
}
