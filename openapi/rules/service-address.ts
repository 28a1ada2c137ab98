/** The address of a service, which the service prints and the developer commands use. */

/**
 * The address of a service that runs with default settings. The contract and the files in `docs/` contain this address.
 */
export const usualServiceUrl = 'http://localhost:3000';

/** A service that listens on any of these hosts can be reached at `localhost`. */
const localHosts = ['127.0.0.1', '::1', 'localhost', '0.0.0.0', '::'];

/**
 * Returns the address of a service that listens on this host and port. A service that listens on a single IP address
 * cannot be reached at `localhost`, so its address contains the IP address.
 */
export function addressAt(host: string, port: number): string {
  if (localHosts.includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Replaces the default address in a text with the address of this service. */
export function withServiceUrl(text: string, serviceUrl: string): string {
  return text.replaceAll(usualServiceUrl, () => serviceUrl);
}
