import { newId } from '@tillhook/server/src/kit/ids.ts';
import { newSigningSecret } from '@tillhook/server/src/webhooks/endpoints/signing-secret.ts';
import { deliveryRequest } from '@tillhook/server/src/wire/delivery-request.ts';
import { deliveryBody } from '@tillhook/server/src/wire/event-body.ts';
import { readSigningKey } from '@tillhook/server/src/wire/signature.ts';
import { eventually } from '@tillhook/test/support/eventually.ts';
import type { Child } from '../../support/child.ts';
import { startCpuMeter } from '../../support/cpu.ts';
import { createMerchants, type Merchant } from '../../support/merchant.ts';
import {
  countDelivered,
  isNothingDue,
  queueAtOnce,
  registerEndpoints,
  sampleEvent,
} from '../../support/queued-deliveries.ts';
import type { Expectation, Receipts } from '../../support/receiver.ts';
import type { Bench } from '../bench.ts';
import type { Rate } from '../rounds.ts';

export interface Delivering {
  bench: Bench;
  receiver: Child;
  workers: Record<string, number>;
  endpointIds: string[];
}

export async function deliver({ bench, receiver, workers, endpointIds }: Delivering, total: number): Promise<Rate> {
  const received = receiver.ask<Receipts>({ expected: total } satisfies Expectation);
  await queueAtOnce(bench.database, endpointIds, total);
  const cpu = startCpuMeter({ ...workers, postgres: bench.postgresPid, receiver: receiver.pid });
  const { seconds } = await received;
  await eventually(() => isNothingDue(bench.database), true);
  const cpuMicros = cpu.microsPer(total);
  const { received: all } = await receiver.ask<Receipts>('count');
  const delivered = await countDelivered(bench.database);
  if (all !== total || delivered !== total)
    throw new Error(`${total} deliveries were queued, ${all} were received and ${delivered} were recorded.`);
  return { perSecond: total / seconds, cpuMicros };
}

type Registry = Pick<Bench, 'database' | 'sealer'>;

export async function registerAt(registry: Registry, receiver: Child, count: number): Promise<string[]> {
  return registerFor(registry, receiver, { merchants: await createMerchants(registry.database), count });
}

export async function registerFor(
  { database, sealer }: Registry,
  receiver: Child,
  { merchants, count }: { merchants: Merchant[]; count: number },
): Promise<string[]> {
  const url = `${receiver.greeting}/webhooks`;
  const endpointIds: string[] = [];
  while (endpointIds.length < count) {
    const merchantId = merchants[endpointIds.length % merchants.length]?.id ?? '';
    endpointIds.push(...(await registerEndpoints(database, sealer, { merchantId, url, count: 1 })));
  }
  return endpointIds;
}

/** Returns a signed request, whose bytes the other contenders post repeatedly. */
export function samplePosting(receiver: Child): { url: string; headers: string[]; body: string } {
  const endpointId = newId();
  const values = { id: newId(), eventId: newId(), eventName: 'checkout.success', eventBody: sampleEvent, attempt: 1 };
  const { headers } = deliveryRequest(
    { ...values, endpointId },
    { own: readSigningKey(newSigningSecret()), others: [] },
    new Date(),
  );
  return { url: `${receiver.greeting}/webhooks`, headers, body: deliveryBody(sampleEvent, endpointId) };
}
