/**
 * The common path of all URLs of this server, without a slash at its end. It is empty unless a proxy serves this
 * server under a path, which is then a part of the public URL.
 */
export function basePath(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, '');
}
