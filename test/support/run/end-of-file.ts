/**
 * Ends the process of a test file when its tests are over and nothing but timers is left. Agenda leaves one behind each job
 * that it ran, for half of the job's lock, and has no way to clear it: without this every file with a server would last half
 * a minute longer. A socket, a server or a process that a test left open still holds the file, until ava's timeout fails it.
 */
import { registerCompletionHandler } from 'ava';

const pauseMs = 10;
/** Timers, and the standard streams that ava pipes to itself. */
const mayRemain = new Set(['Timeout', 'PipeWrap']);

export function endWithItsTests(): void {
  registerCompletionHandler(() => {
    const look = () => {
      if (process.getActiveResourcesInfo().every((resource) => mayRemain.has(resource))) process.exit();
    };
    // Not a reason to stay: a process with nothing left ends by itself.
    setInterval(look, pauseMs).unref();
  });
}
