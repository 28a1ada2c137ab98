/** Stands in for a bank in test mode: the recipient's account number decides what happens, and nothing is sent. */
import type { Mode } from '../kit/mode.ts';
import type { Payout, PayoutProcessor, PayoutVerdict } from './port.ts';

/** How one account number answers: when the transfer is made, and when it is asked after. */
interface Behaviour {
  created: PayoutVerdict;
  later: PayoutVerdict;
}

const completed: PayoutVerdict = { result: 'completed' };
const failed: PayoutVerdict = { result: 'failed', code: 'account_not_found', message: 'The account does not exist' };
const reversed: PayoutVerdict = {
  result: 'reversed',
  code: 'returned_by_bank',
  message: "The recipient's bank sent the money back",
};
const completing: Behaviour = { created: completed, later: completed };

const behaviours: Readonly<Record<string, Behaviour>> = {
  '0000000001': { created: failed, later: failed },
  '0000000002': { created: { result: 'processing', checkAfterSeconds: 30 }, later: completed },
  // Choice: it comes back after three seconds, so that whoever looks sees it completed first.
  '0000000003': { created: { ...completed, checkAfterSeconds: 3 }, later: reversed },
};

/** Throws for live mode: a simulated transfer there would be a lie. */
export function createPayoutSimulator(mode: Mode): PayoutProcessor {
  if (mode !== 'test') throw new Error('The simulator makes test transfers only.');
  return {
    name: 'simulator',
    create: async (payout) => behaviourOf(payout).created,
    status: async (payout) => behaviourOf(payout).later,
  };
}

function behaviourOf({ recipient }: Payout): Behaviour {
  return behaviours[recipient.accountNumber] ?? completing;
}
