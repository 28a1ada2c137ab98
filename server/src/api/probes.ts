import { Router } from 'express';

export type Readiness = () => Promise<Record<string, boolean>>;

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
