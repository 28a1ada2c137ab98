import type { Feed } from '@tillhook/sdk';
import type { Act, SeenRequest } from './scripted-server.ts';

export const event = (number: number, createdAt = '2026-11-21T10:00:00.000Z') => ({ id: `event-${number}`, createdAt });
export const page = (...numbers: number[]): Act => ({
  status: 200,
  body: { events: numbers.map((number) => event(number)), total: numbers.length },
});
export const queriesOf = (seen: SeenRequest[]) =>
  seen.map(({ url }) => Object.fromEntries(new URL(url, 'http://a').searchParams));
export const follows = { limit: '100', wait: '25' };

export async function take(feed: Feed<'listEvents'>, count: number): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of feed) if (ids.push(id) === count) break;
  return ids;
}
