import { type Context, withFreshEntityManager } from '../context.ts';
import { countPaymentsForReview } from '../money/payments/reviews.service.ts';
import { oldestDueSeconds } from '../webhooks/log/oldest-due.service.ts';

/** Registers the figures that are not counted but queried when `/metrics` is read. */
export function registerFigures(context: Context, readiness: () => Promise<Record<string, boolean>>): void {
  const { reachable, oldestDue, underReview } = context.metrics;
  reachable.ask(async () => {
    const checks = Object.entries(await readiness());
    return Object.fromEntries(checks.map(([name, isReachable]) => [name, Number(isReachable)]));
  });
  oldestDue.ask(() => oldestDueSeconds(context));
  underReview.ask(() => countPaymentsForReview(withFreshEntityManager(context)));
}
