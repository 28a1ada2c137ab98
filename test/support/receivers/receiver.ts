import { type Receiver, startReceiver } from '@tillhook/mock/receiver';
import type { ExecutionContext } from 'ava';

export async function receiverFor(t: ExecutionContext): Promise<Receiver> {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  return receiver;
}
