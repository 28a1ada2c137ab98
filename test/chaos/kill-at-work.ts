import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from './server.ts';

interface Work {
  /** Gives the processes something to do, before each try. */
  begin(): Promise<void>;
  /** Whether a kill would hit them in the middle of it. Asked while they stand still. */
  isUnderWay(): Promise<boolean>;
}

const mostTries = 50;

/** Kill −9 of all of them in the middle of work. A kill that would hit nothing proves nothing: then they go on, and it tries again. */
export async function killAtWork(victims: readonly Server[], { begin, isUnderWay }: Work): Promise<void> {
  for (let tries = 0; tries < mostTries; tries++) {
    await begin();
    for (const victim of victims) victim.freeze();
    if (await isUnderWay()) {
      await Promise.all(victims.map((victim) => victim.kill()));
      return;
    }
    for (const victim of victims) victim.thaw();
    await sleep(1);
  }
  throw new Error(`${mostTries} tries found nothing in flight, so no kill would prove anything.`);
}
