/** What a receiver did with a webhook that has a fault. */
import { type Fault, faults } from './faults.ts';
import { isReceived } from './post-webhook.ts';

export interface Verdict {
  isCorrect: boolean;
  message: string;
}

/** Whether the receiver did what it must do. A status of null means that it gave no answer. */
export function judge(fault: Fault, statuses: readonly (number | null)[]): Verdict {
  const { what, isToBeRefused } = faults[fault];
  if (statuses.length === 0 || statuses.includes(null)) {
    return { isCorrect: false, message: 'The receiver gave no answer' };
  }
  const areReceived = statuses.map(isReceived);
  if (isToBeRefused) {
    const isCorrect = !areReceived.includes(true);
    return {
      isCorrect,
      message: `The receiver ${isCorrect ? 'refused' : 'accepted'} a webhook ${what}${isCorrect ? '' : ': it must refuse it'}`,
    };
  }
  const isCorrect = !areReceived.includes(false);
  return {
    isCorrect,
    message: `The receiver ${isCorrect ? 'accepted' : 'refused'} a webhook ${what}${isCorrect ? '' : ': it must answer 2xx'}`,
  };
}
