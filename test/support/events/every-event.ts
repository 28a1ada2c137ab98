import type { Tillhook } from '@tillhook/sdk';
import type { EventName } from '@tillhook/sdk/webhooks';
import { recipes } from '../../../developer/src/commands/trigger.ts';
import { eventually } from '../eventually.ts';
import { unreachableUrl } from '../receivers/deliveries.ts';

export async function everyEvent(client: Tillhook): Promise<EventName[]> {
  const { id: endpoint } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const options = { amount: 5000, email: 'ada@example.com', endpoint, signal: new AbortController().signal };
  const names = Object.keys(recipes) as EventName[];
  for (const name of names) await recipes[name](client, options, () => undefined);
  // The bank reports a late failure of a refund only after half a minute.
  await client.test.advanceTime({ seconds: 60 });
  const listed = async () => (await client.events.list({ limit: 100 })).events.map(({ event }) => event as string);
  await eventually(listed, (found) => names.every((name) => found.includes(name)));
  return names;
}
