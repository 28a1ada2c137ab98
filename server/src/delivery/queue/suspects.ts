/**
 * Deliveries that were claimed again and again and never recorded, because each time the process ended. Nearly all of them only
 * waited in it; one may be what ends it. They are sent one at a time, each noted before it is sent, and only one that was noted
 * again and again is given up: whoever waited beside it is delivered.
 * See docs/decisions/delivery.md, "A delivery is given up as crashed only when it was sent alone".
 */
import type { CoreContext } from '../../context.ts';
import { inOwnStatement, run } from '../../database/statement.ts';
import { type Claimed, mostClaims } from './claim.ts';

/** How often a suspect is sent without a record before it is given up. */
const mostTries = 3;
/** What waits longer for its turn is handed back, before its lease can end. */
const longestWaitMs = 5000;

export interface Suspects {
  /** Does the work in its turn. Says `crashed` of what is given up, and nothing of what has to be handed back. */
  inTurn<Made>(delivery: Claimed, work: () => Promise<Made>): Promise<Made | 'crashed' | undefined>;
}

export const isSuspect = ({ claims }: Claimed): boolean => claims >= mostClaims;

export function createSuspects(context: CoreContext): Suspects {
  let last: Promise<unknown> = Promise.resolve();

  async function tryOnce<Made>(delivery: Claimed, work: () => Promise<Made>): Promise<Made | 'crashed' | undefined> {
    if (delivery.claims >= mostClaims + mostTries) return 'crashed';
    return (await note(context, delivery)) ? work() : undefined;
  }

  return {
    inTurn(delivery, work) {
      const sendByMs = performance.now() + longestWaitMs;
      const turn = last.then(() => (performance.now() < sendByMs ? tryOnce(delivery, work) : undefined));
      last = turn.catch(() => {});
      return turn;
    },
  };
}

/** On disk before it is sent, or nobody would know what the process died of. Says whether it is still ours. */
async function note(context: CoreContext, { id, lease }: Claimed): Promise<boolean> {
  const noted = await inOwnStatement(
    context,
    (statement) => run(statement)`
      update owed_delivery set claims = claims + 1 where delivery_id = ${id} and lease = ${lease}`,
  );
  return noted === 1;
}
