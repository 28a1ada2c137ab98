/** The path under which a proxy serves this server, without a slash at its end; empty without such a path. */
export function basePath(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, '');
}
