import { type Receiver, startReceiver } from '@tillhook/mock/receiver';
import type { ExecutionContext } from 'ava';

/** Starts a receiver that answers 200 to every delivery until the test ends. */
export async function receiverFor(t: ExecutionContext): Promise<Receiver> {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  return receiver;
}
