/**
 * The path below which everything of this server lies, without a slash at its end: empty, unless a proxy serves us below a
 * path of its own, which then is part of the public address.
 */
export function basePath(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, '');
}
