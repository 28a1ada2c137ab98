import { Pool } from 'undici';

/** The number of calls at once, each on a separate connection that stays open. */
export const callsInFlight = 32;

interface Call {
  headers: Record<string, string>;
  body: string;
}

/** Posts this number of calls, and returns the seconds that they took. Throws if an answer is not 201. */
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
