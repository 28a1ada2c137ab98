/**
 * The fastest simple ways to post from Node: loops of `undici.request`, or of `dispatch` with a handler object.
 * This program does not sign webhooks and stores no attempts.
 */
import { Agent, request } from 'undici';
import { dispatchPost, type Post } from './dispatch-post.ts';

export type Way = 'request' | 'dispatch';

export interface Posting {
  way: Way;
  url: string;
  headers: string[];
  body: string;
  total: number;
  connections: number;
}

type Prepared = Post & { address: URL };

const agents = new Map<number, Agent>();

process.on('message', async ({ way, url, headers, body, total, connections }: Posting) => {
  const dispatcher = agents.get(connections) ?? new Agent({ connections, pipelining: 1, allowH2: false });
  agents.set(connections, dispatcher);
  const address = new URL(url);
  const { origin, pathname: path } = address;
  const prepared: Prepared = { address, origin, path, headers, bytes: Buffer.from(body) };
  let left = total;
  async function postInTurn(): Promise<void> {
    while (left > 0) {
      left -= 1;
      await posts[way](dispatcher, prepared);
    }
  }
  await Promise.all(Array.from({ length: connections }, postInTurn));
  process.send?.('done');
});
process.send?.('ready');

const posts: Record<Way, (dispatcher: Agent, prepared: Prepared) => Promise<void>> = {
  async request(dispatcher, { address, headers, bytes }) {
    const response = await request(address, { method: 'POST', headers, body: bytes, dispatcher });
    await response.body.dump();
  },
  dispatch: dispatchPost,
};
