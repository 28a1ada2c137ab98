/**
 * Ends the process of a test file when its tests are over and only timers are left. For each job that it ran, Agenda
 * leaves a timer that lasts half of the job's lock time and cannot be cleared. Without this, a test file that runs jobs in
 * its process would take half a minute longer. If a test leaves a socket, a server or a process open, the file does not end,
 * and ava's timeout fails it.
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
    // This timer must not keep the process alive.
    setInterval(look, pauseMs).unref();
  });
}
