/**
 * Suspects are deliveries that were claimed many times and never recorded, because each time the process died. Most of
 * them only waited in that process, but one of them may make it crash. So suspects are sent one at a time, and each try
 * is saved before the delivery is sent. Only a delivery with several saved tries is given up, and the other suspects
 * are delivered.
 * See docs/decisions/delivery.md, "A delivery is given up as crashed only when it was sent alone".
 */
import type { CoreContext } from '../../context.ts';
import { inOwnStatement, run } from '../../platform/database/statement.ts';
import type { Claimed } from '../../wire/claimed.ts';
import { mostClaims } from './claim.ts';

/** How many tries a suspect has before it is given up. */
const mostTries = 3;
/** A suspect that waits longer for its turn is handed back, before its lease can end. */
const longestWaitMs = 5000;

export interface CrashSuspects {
  /**
   * Runs the work after that of all earlier suspects. Resolves with `crashed` when the delivery is given up, and with
   * undefined when it has to be handed back.
   */
  runInTurn<Made>(delivery: Claimed, work: () => Promise<Made>): Promise<Made | 'crashed' | undefined>;
}

export const isCrashSuspect = ({ claims }: Claimed): boolean => claims >= mostClaims;

export function createCrashSuspects(context: CoreContext): CrashSuspects {
  let last: Promise<unknown> = Promise.resolve();

  async function tryOnce<Made>(delivery: Claimed, work: () => Promise<Made>): Promise<Made | 'crashed' | undefined> {
    if (delivery.claims >= mostClaims + mostTries) return 'crashed';
    return (await saveTry(context, delivery)) ? work() : undefined;
  }

  return {
    runInTurn(delivery, work) {
      const sendByMs = performance.now() + longestWaitMs;
      const turn = last.then(() => (performance.now() < sendByMs ? tryOnce(delivery, work) : undefined));
      last = turn.catch(() => {});
      return turn;
    },
  };
}

/** Saved before the delivery is sent, because a crash leaves no other trace. False when this process lost the lease. */
async function saveTry(context: CoreContext, { id, lease }: Claimed): Promise<boolean> {
  const noted = await inOwnStatement(
    context,
    (statement) => run(statement)`
      update owed_delivery set claims = claims + 1 where delivery_id = ${id} and lease = ${lease}`,
  );
  return noted === 1;
}
