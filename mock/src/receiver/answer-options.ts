/** How the receiver answers when its user tells it to: late, with another status, or with 500 at first. */

import { createRecentEvents } from './attempt-history.ts';
import type { Delivery } from './delivery-log.ts';
import type { Reply } from './recording-server.ts';

export interface AnswerOptions {
  /** The first attempts of each event are answered 500. */
  fail?: number;
  slowMs?: number;
  status?: number;
}

/** A webhook that does not verify is refused, whatever its user tells it. */
export function answerBy({ fail = 0, slowMs = 0, status = 200 }: AnswerOptions): (delivery: Delivery) => Reply {
  const attempts = createRecentEvents<number>();
  return ({ verification, problem, headers }) => {
    if (verification === 'refused') return { status: 400, body: problem ?? '' };
    const id = String(headers['webhook-id']);
    const attempt = (attempts.get(id) ?? 0) + 1;
    attempts.set(id, attempt);
    if (attempt > fail) return { status, delayMs: slowMs };
    return { status: 500, delayMs: slowMs, body: `told to fail ${attempt} of ${fail}` };
  };
}

/** The rule in words, for the greeting. */
export function ruleInWords({ fail, slowMs, status = 200 }: AnswerOptions): string {
  const late = slowMs ? `${fail ? ', each' : ''} after ${slowMs / 1000} s` : '';
  const first = fail ? `500 to the first ${fail === 1 ? 'attempt' : `${fail} attempts`} of each event, then ` : '';
  return `It answers ${first}${status}${late}, and 400${slowMs ? ' at once' : ''} to a webhook that does not verify.`;
}
