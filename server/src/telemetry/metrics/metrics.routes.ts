import { type Request, Router } from 'express';
import ipaddr from 'ipaddr.js';
import type { Metrics } from './metrics.ts';

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

/** Some services, such as a tunnel of Cloudflare, name the client only in a header that no other proxy sends. */
const proxyHeaders =
  /^(via|cdn-loop|forwarded|x-forwarded-.*|x-original-forwarded-for|(x-real|x-client|x-cluster-client|cf-connecting|true-client|fastly-client|fly-client)-ip|cf-connecting-ipv6)$/;

/** False for a request through a local proxy, because its client may be on another machine. */
export function isFromHere({ socket, headers }: Pick<Request, 'headers'> & { socket: { remoteAddress?: string } }) {
  const { remoteAddress = '' } = socket;
  const isLoopback = ipaddr.isValid(remoteAddress) && ipaddr.process(remoteAddress).range() === 'loopback';
  return isLoopback && !Object.keys(headers).some((name) => proxyHeaders.test(name));
}
