import { isIP } from 'node:net';

/** Browsers use passkeys only on pages with https and a domain name, and on `localhost`. */
export function canUsePasskeys(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[');
  return !isAddress && (protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost'));
}
