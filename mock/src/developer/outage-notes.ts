/** Says once when the service stops answering while a command waits for events, and once when it answers again. */
import type { Hooks } from '@tillhook/sdk';
import { causeOf } from './explain-error.ts';

export function outageNotes(note: (text: string) => void): Hooks {
  let isAway = false;
  return {
    retry({ error }) {
      if (isAway) return;
      isAway = true;
      const cause = error.status === null ? causeOf(error) : `it answered ${error.status}`;
      note(`The service does not answer (${cause}). Waiting for it; no event is lost.`);
    },
    response({ status }) {
      if (!isAway || status === 429 || status >= 500) return;
      isAway = false;
      note('The service answers again.');
    },
  };
}
