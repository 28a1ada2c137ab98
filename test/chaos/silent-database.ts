import { setTimeout as sleep } from 'node:timers/promises';
import { silenceWayTo } from './interruptible.ts';
import type { Outcome } from './outcome.ts';
import type { Server } from './server.ts';
import type { Stage } from './stage.ts';
import { type Scale, stoppedPostgres } from './stopped-postgres.ts';

/** Shorter than in production, so that calls fail while the database is silent, and not only after it. */
const statementMs = 2000;
const impatient = {
  DATABASE_STATEMENT_TIMEOUT_MS: String(statementMs),
  DATABASE_CONNECT_TIMEOUT_MS: String(statementMs),
};
/** `/readyz` waits for five seconds itself. */
const saidWithinMs = 10_000;
const pauseMs = 100;

/**
 * The database's host keeps its connections and says nothing, while customers pay and workers deliver. What it was sent is lost
 * for good, or comes late. Every process has to say so at `/readyz`, and to go on by itself afterwards.
 */
export async function silentDatabase(stage: Stage, scale: Scale): Promise<Outcome> {
  const silence = await silenceWayTo(stage.postgres.url, stage.running);
  const servers: Server[] = [];
  let unsaid = 0;
  const postgres = {
    ...silence,
    async leave(way: string) {
      await silence.leave(way);
      unsaid += (await Promise.all(servers.map(saysNotReady))).filter((isSaid) => !isSaid).length;
    },
  };
  const startServer: Stage['startServer'] = async (role, env) => {
    const server = await stage.startServer(role, { ...env, ...impatient, DATABASE_URL: silence.url });
    servers.push(server);
    return server;
  };

  const outcome = await stoppedPostgres({ ...stage, postgres, startServer }, scale);

  return {
    ...outcome,
    scenario: `The database silent ${scale.outages} times (${silence.ways.join(', ')}) while customers pay`,
    broken: [...outcome.broken, ...(unsaid > 0 ? [`${unsaid} times /readyz did not say that it was silent`] : [])],
  };
}

async function saysNotReady({ url }: Server): Promise<boolean> {
  for (const deadline = performance.now() + saidWithinMs; performance.now() < deadline; await sleep(pauseMs)) {
    const { status } = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(saidWithinMs) });
    if (status === 503) return true;
  }
  return false;
}
