import { Pool } from 'undici';

export const callsInFlight = 32;

interface Call {
  headers: Record<string, string>;
  body: string;
}

export interface Posted {
  calls: number;
  seconds: number;
}

export async function postInTurn(url: string, seconds: number, next: (index: number) => Call): Promise<Posted> {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections: callsInFlight, pipelining: 1, allowH2: false });
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  let begun = 0;
  async function post(): Promise<void> {
    while (performance.now() < endsAt) {
      begun += 1;
      const { headers, body } = next(begun);
      const answer = await pool.request({
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
      if (answer.statusCode !== 201)
        throw new Error(`The server answered POST ${url} with ${answer.statusCode}: ${await answer.body.text()}`);
      await answer.body.dump();
    }
  }
  await Promise.all(Array.from({ length: callsInFlight }, post));
  const posted = { calls: begun, seconds: (performance.now() - startedAt) / 1000 };
  await pool.close();
  return posted;
}
