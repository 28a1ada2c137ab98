/**
 * Finds the address of the caller, once for each request: limits, the audit log and the list of sessions use
 * `request.ip`. Express takes it from `X-Forwarded-For` as `TRUST_PROXY` says, but compares and returns what proxies
 * wrote there as it is. Some write a port, brackets or a zone. Then each call would have a separate limit, or all
 * callers would share one.
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
    // Choice: when the address is not readable, that of the connection counts. All callers behind that proxy then share
    // one limit, so that none escapes the limit by writing nonsense.
    Object.defineProperty(request, 'ip', { value: address ?? readAddress(socket.remoteAddress) });
    if (ip && !address && !hasWarned) {
      hasWarned = true;
      log.warn(
        { address: ip.slice(0, maxShown), countedBy: request.ip },
        'A proxy names no readable address in X-Forwarded-For, so such calls are counted by the address of the connection',
      );
    }
    next();
  };
}

const readable = (part: string): string => readAddress(part) ?? part.trim();
