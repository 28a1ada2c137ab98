/** A test in TypeScript that uses the mock. It is compiled as a module and never run. */
import { startMock } from '@tillhook/mock/api';
import { startReceiver } from '@tillhook/mock/receiver';

export async function rehearse(): Promise<string[]> {
  const mock = await startMock({ port: 4010 });
  const receiver = await startReceiver({
    answer: ({ verification }) => ({ status: verification === 'refused' ? 400 : 200 }),
  });
  const deliveries = await receiver.waitFor(1);
  await Promise.all([mock.stop(), receiver.stop()]);
  return deliveries.map(({ body }) => body.toString('utf8'));
}
