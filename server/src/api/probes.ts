import { Router } from 'express';

/** Returns the name of each dependency of the server, with true if the dependency is available. */
export type Readiness = () => Promise<Record<string, boolean>>;

/**
 * `/healthz` answers while the process runs. `/readyz` answers 200 when all dependencies of the server are available,
 * and otherwise 503.
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
