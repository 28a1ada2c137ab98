import { Router } from 'express';

/** The name of each thing that the server needs, with true when it can be used now. */
export type Readiness = () => Promise<Record<string, boolean>>;

/**
 * `/healthz` answers while the process runs. `/readyz` answers 200 when everything that the server needs can be used.
 */
export function probes(readiness: Readiness): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    const checks = await readiness();
    const isReady = Object.values(checks).every(Boolean);
    response.status(isReady ? 200 : 503).json({ status: isReady ? 'ready' : 'not ready', checks });
  });
  return router;
}
