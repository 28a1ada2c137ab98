/** Wallets begin with the balances in the contract's example, so that a transfer is possible immediately. */
import type { Wallet, WalletEntry } from '@tillhook/openapi';
import { v7 as newId } from 'uuid';
import { ownCurrency } from '../examples/seeds.ts';
import { ApiError, fieldError } from '../requests/api-error.ts';
import type { Mode } from '../requests/credentials.ts';
import { type Answers, duplicateReference } from './answers.ts';
import { newReference } from './checkout.ts';
import type { Remembered } from './remembered.ts';

type Kind = Wallet['kind'];
type Named = Pick<Wallet, 'kind' | 'currency'>;

interface Move extends Named {
  type: WalletEntry['type'];
  /** The change of the available balance; negative for a debit. */
  amount: number;
  /** The change of the reserved balance; omitted when it does not change. */
  reserved?: number;
  reference: string | null;
}

export interface Wallets {
  answers: Answers;
  /** Throws `insufficient_funds` and changes no wallet if the balance of any wallet is too low. */
  post(mode: Mode, ...moves: Move[]): void;
  /** Lowers the reserved balance after the money was paid out. */
  release(mode: Mode, move: Named & Pick<Move, 'amount'>): void;
  /** Throws when `currency` is missing and the wallets have several currencies. */
  entriesOf(mode: Mode, kind: string | undefined, currency: unknown): WalletEntry[];
}

export function createWallets(remembered: Record<Mode, Remembered>, begin: readonly Wallet[]): Wallets {
  const wallets = { test: structuredClone(begin) as Wallet[], live: structuredClone(begin) as Wallet[] };
  const found = (mode: Mode, { kind, currency }: Named) =>
    wallets[mode].find((wallet) => wallet.kind === kind && wallet.currency === currency);
  const walletOf = (mode: Mode, { kind, currency }: Named) =>
    found(mode, { kind, currency }) ?? { kind, currency, available: 0, reserved: 0 };
  /** The first entry in a currency opens both wallets of that currency. */
  const opened = (mode: Mode, named: Named): Wallet => {
    if (!found(mode, named)) wallets[mode].push(...kinds.map((kind) => walletOf(mode, { ...named, kind })));
    return found(mode, named) as Wallet;
  };

  const post: Wallets['post'] = (mode, ...moves) => {
    for (const move of moves) {
      const balance = walletOf(mode, move).available + move.amount;
      if (balance < 0) throw tooLittle(move);
      if (!Number.isSafeInteger(balance)) throw tooMuch;
    }
    for (const { reserved = 0, ...move } of moves) {
      const wallet = opened(mode, move);
      wallet.available += move.amount;
      wallet.reserved += reserved;
      const createdAt = new Date().toISOString();
      remembered[mode].walletEntries.add({ id: newId(), ...move, balance: wallet.available, createdAt });
    }
  };

  return {
    post,
    release(mode, { amount, ...named }) {
      opened(mode, named).reserved -= amount;
    },
    entriesOf(mode, kind, currency) {
      const currencies = new Set(wallets[mode].map((wallet) => wallet.currency));
      if (currency === undefined && currencies.size > 1)
        throw fieldError(
          'missing_parameter',
          'currency',
          'is required, because there are wallets in several currencies',
        );
      const wanted = currency ?? ownCurrency;
      return remembered[mode].walletEntries.items.filter((one) => one.kind === kind && one.currency === wanted);
    },
    answers: {
      listWallets({ mode }) {
        const sorted = wallets[mode].toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
        return { wallets: sorted.map((wallet) => ({ ...wallet })), total: sorted.length };
      },
      topUpTransferWallet({ request, mode }) {
        const { amount, currency = ownCurrency, reference = newReference() } = request.body as Funds;
        const isTaken = remembered[mode].walletEntries.items.some(
          (entry) => entry.type === 'top_up' && entry.reference === reference,
        );
        if (isTaken) throw duplicateReference('top-up');
        const move = { currency, type: 'top_up', reference } as const;
        post(mode, { ...move, kind: 'collection', amount: -amount }, { ...move, kind: 'transfer', amount });
        return { ...walletOf(mode, { kind: 'transfer', currency }) };
      },
      testFundWallet({ request, mode }) {
        const { amount, currency = ownCurrency } = request.body as Funds;
        post(mode, { kind: 'transfer', currency, type: 'test_funding', amount, reference: null });
        return { ...walletOf(mode, { kind: 'transfer', currency }) };
      },
    },
  };
}

interface Funds {
  amount: number;
  currency?: string;
  reference?: string;
}

const kinds: readonly Kind[] = ['collection', 'transfer'];

function tooLittle({ kind, currency }: Named): ApiError {
  const wallet = kind === 'collection' ? 'Collection' : 'Transfer';
  const message = `The ${wallet} wallet has too little ${currency} for this`;
  return new ApiError('insufficient_funds', message, { param: 'amount' });
}

const tooMuch = new ApiError(
  'invalid_parameter',
  `amount would bring an account past ${Number.MAX_SAFE_INTEGER}, the most that JSON can say`,
  { param: 'amount' },
);
