/**
 * Finds the address of the caller, once for each request. Limits, the audit log and the list of sessions use
 * `request.ip`. Express takes this address from `X-Forwarded-For` according to `TRUST_PROXY`, but does not parse the
 * entries: it compares and returns them exactly as the proxies wrote them. Some proxies add a port, brackets or a
 * zone. Unparsed, such an entry could give each call a separate limit, or all callers the same limit.
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
    // Choice: when the address cannot be parsed, the address of the connection is used. All callers behind that proxy
    // then share one limit, so that no caller evades the limit with an invalid address.
    Object.defineProperty(request, 'ip', { value: address ?? readAddress(socket.remoteAddress) });
    if (ip && !address && !hasWarned) {
      hasWarned = true;
      log.warn(
        { address: ip.slice(0, maxShown), countedBy: request.ip },
        'A proxy sent no valid address in X-Forwarded-For; such calls are counted by the address of the connection',
      );
    }
    next();
  };
}

const readable = (part: string): string => readAddress(part) ?? part.trim();
