import {
  type AnswerDelivery,
  type Receiver,
  type ReceiverOptions,
  startReceiver as start,
} from '@tillhook/mock/receiver';
import type { ExecutionContext } from 'ava';

/** Waits longer than the receiver does by default, because a delivery may need more than five seconds on a busy machine. */
const patienceMs = 60_000;

export async function startReceiver(options?: ReceiverOptions): Promise<Receiver> {
  const receiver = await start(options);
  return { ...receiver, waitFor: (wanted, timeoutMs = patienceMs) => receiver.waitFor(wanted, timeoutMs) };
}

export async function receiverFor(t: ExecutionContext, answer?: AnswerDelivery): Promise<Receiver> {
  const receiver = await startReceiver({ ...(answer && { answer }) });
  t.teardown(() => receiver.stop());
  return receiver;
}
