import { setTimeout as sleep } from 'node:timers/promises';
import { silenceWayTo } from './interruptible.ts';
import type { Outcome } from './outcome.ts';
import type { Server } from './server.ts';
import type { Stage } from './stage.ts';
import { type Scale, stoppedPostgres } from './stopped-postgres.ts';

/** Statements time out earlier than in production, so that calls fail while the database is silent. */
const statementMs = 2000;
const shortTimeouts = {
  DATABASE_STATEMENT_TIMEOUT_MS: String(statementMs),
  DATABASE_CONNECT_TIMEOUT_MS: String(statementMs),
};
/** A call of `/readyz` waits up to five seconds for the database. */
const reportedWithinMs = 10_000;
const pauseMs = 100;

/** Connections stay open, but statements are lost or arrive late. Each process must recover without a restart. */
export async function silentDatabase(stage: Stage, scale: Scale): Promise<Outcome> {
  const silence = await silenceWayTo(stage.postgres.url, stage.running);
  const servers: Server[] = [];
  let missedReports = 0;
  const postgres = {
    ...silence,
    async goAway(way: string) {
      await silence.goAway(way);
      missedReports += (await Promise.all(servers.map(reportsNotReady))).filter((isSaid) => !isSaid).length;
    },
  };
  const startServer: Stage['startServer'] = async (role, env) => {
    const server = await stage.startServer(role, { ...env, ...shortTimeouts, DATABASE_URL: silence.url });
    servers.push(server);
    return server;
  };

  const outcome = await stoppedPostgres({ ...stage, postgres, startServer }, scale);

  return {
    ...outcome,
    scenario: `The database silent ${scale.outages} times (${silence.ways.join(', ')}) while customers pay`,
    broken: [
      ...outcome.broken,
      ...(missedReports > 0 ? [`/readyz did not report the silent database ${missedReports} times`] : []),
    ],
  };
}

async function reportsNotReady({ url }: Server): Promise<boolean> {
  for (const deadline = performance.now() + reportedWithinMs; performance.now() < deadline; await sleep(pauseMs)) {
    const { status } = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(reportedWithinMs) });
    if (status === 503) return true;
  }
  return false;
}
