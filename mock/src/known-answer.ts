/**
 * Conditional answers by `ETag` and `If-None-Match`. The code is separate from that of the service on purpose, and
 * `test/mock/answers.test.ts` compares the two.
 */
import { createHash } from 'node:crypto';
import type { MockAnswer } from './prism.ts';

/** The answer with its tag, or 304 when the caller's `If-None-Match` names it. */
export function answerConditionally(answer: MockAnswer, ifNoneMatch: string | undefined): MockAnswer {
  if (answer.body === undefined || !('ETag' in answer.headers)) return answer;
  // Not the contract's example of a tag, because then all bodies would have the same tag, and a browser would mix them
  // up.
  const tag = `"${createHash('sha256').update(JSON.stringify(answer.body)).digest('hex').slice(0, 20)}"`;
  const headers = { ...answer.headers, ETag: `W/${tag}`, 'Cache-Control': 'private, no-cache' };
  if (!names(ifNoneMatch, tag)) return { ...answer, headers };
  return { ...answer, status: 304, headers: withoutType(headers), body: undefined };
}

/** Whether the list contains the tag, weak or strong. */
function names(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === '*' || (ifNoneMatch.match(/"[^"]*"/g) ?? []).some((one) => one === tag);
}

function withoutType(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-type'));
}
