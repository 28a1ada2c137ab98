/**
 * Express returns an address from `X-Forwarded-For` exactly as a proxy wrote it. The rate limits need it without its
 * port, which is new for each connection, and without its zone.
 */
import type { RequestHandler } from 'express';
import type { Context } from '../context.ts';
import { readAddress } from '../kit/network-of.ts';

const maxShown = 100;

export function callerAddress({ config, log }: Pick<Context, 'config' | 'log'>): RequestHandler {
  let hasWarned = false;
  return (request, _response, next) => {
    const { headers, socket } = request;
    const forwarded = headers['x-forwarded-for'];
    if (config.trustProxy && forwarded) headers['x-forwarded-for'] = String(forwarded).split(',').map(readable).join();
    const { ip } = request;
    const address = readAddress(ip);
    // Choice: when a proxy sends no valid address, the address of the connection is used. All callers behind the proxy
    // then share one rate limit, so that an invalid address evades no limit.
    Object.defineProperty(request, 'ip', { value: address ?? readAddress(socket.remoteAddress) });
    if (ip && !address && !hasWarned) {
      hasWarned = true;
      log.warn(
        { address: ip.slice(0, maxShown), countedBy: request.ip },
        'A proxy sent no valid address in X-Forwarded-For; for calls without one, rate limits use the address of the connection',
      );
    }
    next();
  };
}

const readable = (part: string): string => readAddress(part) ?? part.trim();
