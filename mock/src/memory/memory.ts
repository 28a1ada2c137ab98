/**
 * The mock keeps records separately for each mode. Wallets begin with the balances in the contract's examples.
 * See docs/decisions/mock.md, "The mock remembers created records while it runs".
 */

import type { Model, ModelOperation, OperationOutput, Wallet } from '@tillhook/openapi';
import type { SeedRecord } from '../examples/seeds.ts';
import type { Mode } from '../requests/credentials.ts';
import type { Checked } from '../requests/request-check.ts';
import type { Answers } from './answers.ts';
import { createDeliveries } from './deliveries.ts';
import { createEndpoints } from './endpoints.ts';
import { isSameAddress } from './known-endpoint.ts';
import { createOutbox, listed, type Outbox } from './outbox.ts';
import { createPaymentLinks, type PaymentLinks } from './payment-links.ts';
import { createPayments, type Payments } from './payments.ts';
import { createProducts } from './products.ts';
import { createRefunds } from './refunds.ts';
import { createRemembered, isRemembered, type Remembered } from './remembered.ts';
import { createReplays, type RunOnce } from './replays.ts';
import { createTransfers } from './transfers.ts';
import { createWallets } from './wallets.ts';

export interface Memory {
  /** False for a mock that answers only with examples. */
  isOn: boolean;
  knows(operation: ModelOperation): boolean;
  /** True when the mock remembers a record of this name. `place` is a part of a path: `refunds/{reference}`. */
  has(mode: Mode, place: string, name: string): boolean;
  runOnce: RunOnce;
  /** Returns the body of the answer; undefined when the call names an example. */
  answer(operation: ModelOperation, request: Checked, example: unknown): Promise<unknown>;
  /** Returns the remembered records of a list, the newest first. */
  recall(listId: string, request: Checked): SeedRecord[];
  endpointAt(url: string): { id: string; secret: string } | undefined;
  endpoints(): { id: string; mode: Mode; url: string; secret: string }[];
  payments: Payments;
  paymentLinks: PaymentLinks;
  outbox: Outbox;
}

/** Choice: the mock expires checkouts and settles transfers every second, to send the events even without a call. */
const sweepMs = 1_000;

interface MemoryOptions {
  stopping: AbortSignal;
  remembers?: boolean;
}

export function createMemory(model: Model, { stopping, remembers = true }: MemoryOptions): Memory {
  const remembered = createRemembered();
  const outbox = createOutbox(remembered, stopping);
  const wallets = createWallets(remembered, firstWallets(model));
  const serviceUrl = serviceUrlOf(model);
  const payments = createPayments(remembered, { outbox, wallets, serviceUrl });
  const paymentLinks = createPaymentLinks(remembered, { model, serviceUrl });
  const transfers = createTransfers(remembered, outbox, wallets);
  const answers: Answers = {
    ...payments.answers,
    ...createRefunds(remembered, outbox, wallets),
    ...transfers.answers,
    ...wallets.answers,
    ...paymentLinks.answers,
    ...createProducts(remembered),
    ...createEndpoints(remembered, outbox, model),
    ...createDeliveries(remembered, outbox),
    getEvent: ({ request, mode }) => remembered[mode].events.named(request.path.id?.toLowerCase()),
    testAdvanceTime({ request, mode, example }) {
      const { seconds } = request.body as { seconds: number };
      const { moved } = example as { moved: Record<string, number> };
      const nothing = Object.fromEntries(Object.keys(moved).map((name) => [name, 0]));
      const deliveries = outbox.makeDue(mode);
      const [checkouts, moving] = [payments.advance(mode, seconds), transfers.advance(mode, seconds)];
      const links = paymentLinks.advance(mode, seconds);
      return { seconds, moved: { ...nothing, deliveries, checkouts, transfers: moving, paymentLinks: links } };
    },
  };
  const passTime = () => {
    payments.expireDue();
    transfers.settleDue();
  };
  const sweeping = setInterval(passTime, sweepMs).unref();
  stopping.addEventListener('abort', () => clearInterval(sweeping));
  const endpoints = () =>
    Object.values(remembered).flatMap((one) =>
      one.endpoints.items.map(({ record: { id, mode, url, secret } }) => ({ id, mode, url, secret })),
    );
  return {
    payments,
    paymentLinks,
    outbox,
    endpoints,
    endpointAt: (url) => endpoints().find((one) => isSameAddress(one.url, url)),
    isOn: remembers,
    has: (mode, place, name) => isRemembered(remembered[mode], place, name),
    runOnce: createReplays(),
    recall(listId, { mode, path, query }) {
      if (!mode || !remembers) return [];
      if (listId === 'listWalletEntries') return wallets.entriesOf(mode, path.kind, query.currency).map(copied);
      return lists[listId]?.(remembered[mode]) ?? [];
    },
    knows: ({ id }) => remembers && id in answers,
    async answer({ id }, request, example) {
      passTime();
      return request.mode ? answers[id]?.({ request, mode: request.mode, example }) : undefined;
    },
  };
}

const copied = (record: object): SeedRecord => ({ ...record });

const lists: Record<string, (remembered: Remembered) => SeedRecord[]> = {
  listPayments: ({ checkouts }) => checkouts.items.map(({ payment }) => copied(payment)),
  listRefunds: ({ refunds }) => refunds.items.map(copied),
  listTransfers: ({ transfers }) => transfers.items.map(({ transfer }) => copied(transfer)),
  listEvents: ({ events }) => events.items.map(copied),
  listDeliveries: ({ deliveries }) => deliveries.items.map((delivery) => copied(listed(delivery))),
};

function firstWallets({ operationById }: Model): readonly Wallet[] {
  const [example] = operationById.get('listWallets')?.success.content?.examples.values() ?? [];
  return (example?.value as OperationOutput<'listWallets'> | undefined)?.wallets ?? [];
}

/** Returns the URL of the service in the contract, with which the links in the examples begin. */
export function serviceUrlOf({ servers }: Model): string {
  return servers[0]?.url ?? '';
}
