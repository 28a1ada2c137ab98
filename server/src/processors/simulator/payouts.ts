/** The recipient's account number decides the outcome of a test transfer, and nothing is sent. */
import type { Mode } from '../../kit/mode.ts';
import type { Payout, PayoutProcessor, PayoutVerdict } from '../port.ts';

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
  // Choice: the transfer is reversed after three seconds, so that a developer can see it as completed first.
  '0000000003': { created: { ...completed, checkAfterSeconds: 3 }, later: reversed },
};

export function createPayoutSimulator(mode: Mode): PayoutProcessor {
  if (mode !== 'test') throw new Error('The payout simulator was created for live mode.');
  return {
    name: 'simulator',
    create: async (payout) => behaviourOf(payout).created,
    status: async (payout) => behaviourOf(payout).later,
  };
}

function behaviourOf({ recipient }: Payout): Behaviour {
  return behaviours[recipient.accountNumber] ?? completing;
}
