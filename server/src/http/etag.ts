/**
 * Answers that a caller may already have. Express compares tags too, but is not asked: its tag comes from the finished body,
 * which saves the sending and not the work, and it answers in full when a request has `Cache-Control: no-cache`, as `fetch`
 * does with every `If-None-Match`.
 */

/** Weak: it names what the answer says and not its bytes, which a proxy may compress. */
export function etagOf(version: string): string {
  return `W/"${version}"`;
}

/** Whether the caller has the answer with this ETag. Tags are compared without their weakness. */
export function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return (ifNoneMatch.match(/"[^"]*"/g) ?? []).some((tag) => etag === `W/${tag}`);
}
