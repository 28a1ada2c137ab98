/** How the receiver answers when its user tells it to: late, with another status, or with 500 at first. */
import type { AnswerDelivery } from './receiver.ts';
import type { Answer } from './recording-server.ts';

export interface AnswerOptions {
  /** The first attempts of each event are answered 500. */
  fail?: number;
  slowMs?: number;
  status?: number;
}

/** Choice: the receiver counts the attempts of this many events, so that one that runs for weeks does not grow. */
const mostEvents = 1_000;

/** A webhook that does not verify is refused, whatever its user tells it. */
export function answerBy({ fail = 0, slowMs = 0, status = 200 }: AnswerOptions): AnswerDelivery {
  const attempts = new Map<string, number>();
  return ({ verification, problem, headers }): Answer => {
    if (verification === 'refused') return { status: 400, body: problem ?? '' };
    const id = String(headers['webhook-id']);
    const attempt = (attempts.get(id) ?? 0) + 1;
    attempts.delete(id);
    attempts.set(id, attempt);
    const [oldest] = attempts.keys();
    if (attempts.size > mostEvents && oldest !== undefined) attempts.delete(oldest);
    if (attempt > fail) return { status, delayMs: slowMs };
    return { status: 500, delayMs: slowMs, body: `told to fail ${attempt} of ${fail}` };
  };
}

/** The rule in words, for the greeting. */
export function ruleInWords({ fail, slowMs, status = 200 }: AnswerOptions): string {
  const late = slowMs ? ` after ${slowMs / 1000} s` : '';
  const first = fail ? `500 to the first ${fail === 1 ? 'attempt' : `${fail} attempts`} of each event, then ` : '';
  return `It answers ${first}${status}${late}, and 400 to a webhook that does not verify.`;
}
