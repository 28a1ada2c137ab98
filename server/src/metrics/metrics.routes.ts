import { type Request, Router } from 'express';
import ipaddr from 'ipaddr.js';
import type { Metrics } from './metrics.ts';

/** `/metrics`, in the form of Prometheus. For whoever may not read it, it does not exist. */
export function metricsRoute({ text, contentType }: Metrics, mayRead: (request: Request) => boolean): Router {
  const router = Router();
  router.get('/metrics', async (request, response, next) => {
    if (!mayRead(request)) return next({ status: 404 });
    response.setHeader('Content-Type', contentType);
    response.setHeader('Cache-Control', 'no-store');
    response.end(await text());
  });
  return router;
}

const namesOfProxies = /^(forwarded|x-forwarded-.*|x-real-ip|via)$/;

/** Whether this machine itself is asking: by the connection, and not for others as a proxy on it does. */
export function isFromHere({ socket, headers }: Pick<Request, 'headers'> & { socket: { remoteAddress?: string } }) {
  const { remoteAddress = '' } = socket;
  const isLoopback = ipaddr.isValid(remoteAddress) && ipaddr.process(remoteAddress).range() === 'loopback';
  return isLoopback && !Object.keys(headers).some((name) => namesOfProxies.test(name));
}
