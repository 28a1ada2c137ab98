import { Pool } from 'undici';

/** Calls at once, each on a connection of its own that is kept. */
export const callsInFlight = 32;

interface Call {
  headers: Record<string, string>;
  body: string;
}

/** Posts so many calls and returns how many seconds it took; each has to be answered 201. */
export async function postInTurn(url: string, total: number, next: (index: number) => Call): Promise<number> {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections: callsInFlight, pipelining: 1, allowH2: false });
  let begun = 0;
  async function post(): Promise<void> {
    while (begun < total) {
      begun += 1;
      const { headers, body } = next(begun);
      const answer = await pool.request({
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
      if (answer.statusCode !== 201) throw new Error(`${answer.statusCode} ${await answer.body.text()}`);
      await answer.body.dump();
    }
  }
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: callsInFlight }, post));
  const seconds = (performance.now() - startedAt) / 1000;
  await pool.close();
  return seconds;
}
