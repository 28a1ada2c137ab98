/**
 * The common path of all addresses of this server, without a slash at its end. It is empty unless a proxy serves this
 * server under a path, which is then part of the public address.
 */
export function basePath(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, '');
}
