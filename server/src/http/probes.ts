import { Router } from 'express';

/** What readiness depends on, each by name: true when it can be used now. */
export type Readiness = () => Promise<Record<string, boolean>>;

/** `/healthz`: the process lives. `/readyz`: everything it needs can be reached. */
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
