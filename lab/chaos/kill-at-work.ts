import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from './server.ts';

interface Work {
  /** Gives the processes some work. Called before each attempt to kill the processes. */
  begin(): Promise<void>;
  /** Returns whether the processes are in the middle of their work. Called while the processes are frozen. */
  isUnderWay(): Promise<boolean>;
}

const maxTries = 50;

/**
 * Kills the processes with SIGKILL in the middle of their work. A kill without work in flight would prove nothing. If
 * no work is in flight, the function lets the processes continue, and tries again.
 */
export async function killAtWork(victims: readonly Server[], { begin, isUnderWay }: Work): Promise<void> {
  for (let tries = 0; tries < maxTries; tries++) {
    await begin();
    for (const victim of victims) victim.freeze();
    if (await isUnderWay()) {
      await Promise.all(victims.map((victim) => victim.kill()));
      return;
    }
    for (const victim of victims) victim.thaw();
    await sleep(1);
  }
  throw new Error(`No work was in flight in ${maxTries} tries, so a kill would prove nothing.`);
}
