import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from './server.ts';

interface Work {
  /** Gives the processes work, before each try. */
  begin(): Promise<void>;
  /** Whether a kill now would hit the processes in the middle of their work. It is called while they are frozen. */
  isUnderWay(): Promise<boolean>;
}

const mostTries = 50;

/**
 * Kills the processes by kill −9 in the middle of their work. If a kill would hit no work, it would prove nothing, so
 * the processes go on and it tries again.
 */
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
