/**
 * ETags of answers that a caller may already have. Express can compare ETags too, but this service does not use that.
 * Express computes the ETag from the finished body, which saves the sending and not the work. It also sends the whole
 * answer when a request has `Cache-Control: no-cache`, and `fetch` adds that header to every request with
 * `If-None-Match`.
 */

/**
 * A weak ETag: it identifies the content of the answer and not its bytes, because a proxy may compress the answer.
 */
export function etagOf(version: string): string {
  return `W/"${version}"`;
}

/** Whether the caller has the answer with this ETag. Weak and strong ETags are compared alike. */
export function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return (ifNoneMatch.match(/"[^"]*"/g) ?? []).some((tag) => etag === `W/${tag}`);
}
