import { invalid } from './errors.ts';

/**
 * Throws `invalid_url` for what is no web address. A browser goes there, not our servers: the scheme matters, for one of
 * them runs script, and where the address leads does not.
 */
export function checkWebAddress(param: string, address: string, { httpsOnly = false } = {}): void {
  const url = URL.parse(address);
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && !httpsOnly);
  if (!url || !isAllowed) {
    throw invalid('invalid_url', param, `must begin with ${httpsOnly ? '' : 'http:// or '}https://`);
  }
  if (url.username || url.password) throw invalid('invalid_url', param, 'must not hold a user name or password');
}
