/**
 * What the mock remembers while it runs: checkouts and their payments, refunds, endpoints, events and deliveries, each
 * by the mode of the key. It knows nothing of what the examples of the contract have.
 * See docs/decisions/mock.md, "What was made on the mock is remembered while it runs".
 */
import type { Model, ModelOperation } from '@tillhook/openapi';
import type { Mode } from '../credentials.ts';
import { isSameAddress } from '../own-links.ts';
import type { Checked } from '../request-check.ts';
import type { SeedRecord } from '../seeds.ts';
import type { Answers } from './answers.ts';
import { createDeliveries } from './deliveries.ts';
import { listed } from './delivery.ts';
import { createEndpoints } from './endpoints.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { createPayments, type Payments } from './payments.ts';
import { createRefunds } from './refunds.ts';
import { createRemembered, type Remembered } from './remembered.ts';

export interface Memory {
  /** Whether an answer of the operation can be about something that is remembered. */
  knows(operation: ModelOperation): boolean;
  /** The body of the answer; undefined when the call is about nothing that is remembered. */
  answer(operation: ModelOperation, request: Checked, example: unknown): Promise<unknown>;
  /** The remembered records of a list, newest first. */
  recall(listId: string, mode: Mode | null): SeedRecord[];
  /** The endpoint at an address. */
  endpointAt(url: string): { id: string; secret: string } | undefined;
  endpoints(): { id: string; mode: Mode; url: string; secret: string }[];
  payments: Payments;
  outbox: Outbox;
}

/**
 * Choice: checkouts are looked through every second for those whose time is over, so that endpoints hear of an expiry
 * between two calls. Each call also does it.
 */
const sweepMs = 1_000;

interface MemoryOptions {
  stopping: AbortSignal;
  /** False for a mock that knows only examples. */
  remembers?: boolean;
}

export function createMemory(model: Model, { stopping, remembers = true }: MemoryOptions): Memory {
  const remembered = createRemembered();
  const outbox = createOutbox(remembered, stopping);
  const payments = createPayments(remembered, outbox, serviceUrlOf(model));
  const answers: Answers = {
    ...payments.answers,
    ...createRefunds(remembered, outbox),
    ...createEndpoints(remembered, outbox, testDataOf(model)),
    ...createDeliveries(remembered, outbox),
    getEvent: ({ request, mode }) => remembered[mode].events.find(({ id }) => id === request.path.id?.toLowerCase()),
    testAdvanceTime({ request, mode, example }) {
      const { seconds } = request.body as { seconds: number };
      const { moved } = example as { moved: Record<string, number> };
      const nothing = Object.fromEntries(Object.keys(moved).map((name) => [name, 0]));
      const deliveries = outbox.makeDue(mode);
      return { seconds, moved: { ...nothing, deliveries, checkouts: payments.advance(mode, seconds) } };
    },
  };
  const sweeping = setInterval(payments.expireDue, sweepMs).unref();
  stopping.addEventListener('abort', () => clearInterval(sweeping));
  const endpoints = () =>
    Object.values(remembered).flatMap((one) =>
      one.endpoints.items.map(({ record: { id, mode, url, secret } }) => ({ id, mode, url, secret })),
    );
  return {
    payments,
    outbox,
    endpoints,
    endpointAt: (url) => endpoints().find((one) => isSameAddress(one.url, url)),
    recall: (listId, mode) => (mode ? (lists[listId]?.(remembered[mode]) ?? []) : []),
    knows: ({ id }) => remembers && id in answers,
    async answer({ id }, request, example) {
      payments.expireDue();
      return request.mode ? answers[id]?.({ request, mode: request.mode, example }) : undefined;
    },
  };
}

const lists: Record<string, (remembered: Remembered) => SeedRecord[]> = {
  listPayments: ({ checkouts }) => checkouts.items.map(({ payment }) => ({ ...payment })),
  listRefunds: ({ refunds }) => refunds.items.map((refund) => ({ ...refund })),
  listEvents: ({ events }) => events.items.map((event) => ({ ...event })),
  listDeliveries: ({ deliveries }) => deliveries.items.map((delivery) => ({ ...listed(delivery) })),
};

/** The address of the service in the contract, with which links in the examples begin. */
export function serviceUrlOf({ servers }: Model): string {
  return servers[0]?.url ?? '';
}

function testDataOf({ webhooks }: Model): object {
  const [example] = webhooks.find(({ name }) => name === 'test.event')?.body.examples.values() ?? [];
  const { data = {} } = (example?.value ?? {}) as { data?: object };
  return data;
}
