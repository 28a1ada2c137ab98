/** The URL of a service with default settings, which the contract and the documents contain. */
export const usualServiceUrl = 'http://localhost:3000';

/** A service that listens on one of these hosts can be reached at `localhost`. */
const localHosts = ['127.0.0.1', '::1', 'localhost', '0.0.0.0', '::'];

/** A service that listens on any other host cannot be reached at `localhost`. */
export function addressAt(host: string, port: number): string {
  if (localHosts.includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export function withServiceUrl(text: string, serviceUrl: string): string {
  return text.replaceAll(usualServiceUrl, () => serviceUrl);
}
