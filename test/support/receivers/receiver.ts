import { type AnswerDelivery, type Receiver, startReceiver } from '@tillhook/mock/receiver';
import type { ExecutionContext } from 'ava';

export async function receiverFor(t: ExecutionContext, answer?: AnswerDelivery): Promise<Receiver> {
  const receiver = await startReceiver({ ...(answer && { answer }) });
  t.teardown(() => receiver.stop());
  return receiver;
}
