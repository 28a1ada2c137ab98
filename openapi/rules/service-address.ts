/** The address of a service: the one that it prints, and at which the developer's commands look for it. */

/** The address of a service that is started without settings. The contract and the files in `docs/` are written with it. */
export const usualServiceUrl = 'http://localhost:3000';

/** These let the service listen on an address to which the name `localhost` leads. */
const localHosts = ['127.0.0.1', '::1', 'localhost', '0.0.0.0', '::'];

/** A server that listens on one address of its machine answers on no other, so its address names that one. */
export function addressAt(host: string, port: number): string {
  if (localHosts.includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** A text that is written with the usual address, with the address of this service. */
export function withServiceUrl(text: string, serviceUrl: string): string {
  return text.replaceAll(usualServiceUrl, () => serviceUrl);
}
