import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from './server.ts';

interface Work {
  begin(): Promise<void>;
  isUnderWay(): Promise<boolean>;
}

const maxTries = 50;

/** Kills the processes in the middle of their work, because a kill without work in flight would prove nothing. */
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
