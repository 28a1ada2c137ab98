/** The phone number decides the outcome, and no phone is asked. */
import type { Charge, MobileMoney, TestPhone, Verdict } from '../port.ts';

interface Country {
  code: string;
  operators: readonly string[];
}

const countries: Readonly<Record<string, Country>> = {
  KES: { code: '254', operators: ['mpesa', 'airtel'] },
  GHS: { code: '233', operators: ['mtn', 'telecel', 'airtel'] },
  UGX: { code: '256', operators: ['mtn', 'airtel'] },
  RWF: { code: '250', operators: ['mtn', 'airtel'] },
  TZS: { code: '255', operators: ['mpesa', 'airtel'] },
  ZMW: { code: '260', operators: ['mtn', 'airtel'] },
};

const answerMs = 3000;
/** Choice: a real operator waits longer, but a developer should not have to. */
const timeoutMs = 20_000;

const outcomes: readonly Omit<TestPhone, 'number'>[] = [
  { outcome: 'confirms' },
  {
    outcome: 'declines',
    decline: { code: 'mobile_money_declined', message: 'The payment was declined on the phone' },
  },
  {
    outcome: 'lacks_funds',
    decline: {
      code: 'mobile_money_insufficient_funds',
      message: 'The mobile money account has insufficient funds',
    },
  },
  {
    outcome: 'times_out',
    decline: { code: 'mobile_money_timeout', message: 'The payment was not confirmed on the phone in time' },
  },
];

export const simulatedMobileMoney: MobileMoney = {
  operators: (currency) => countries[currency]?.operators ?? [],
  countryCode: (currency) => countryOf(currency).code,
  testNumbers: (currency) =>
    outcomes.map((phone, index) => ({ ...phone, number: `${countryOf(currency).code}70000000${index}` })),
  request: async (_charge, { number }) => {
    if (!outcomes[indexOf(number)]) throw new Error('The simulator was called with a phone that is no test number.');
    return { result: 'open', processorId: `${prefix}${indexOf(number)}` };
  },
};

function countryOf(currency: string): Country {
  const country = countries[currency];
  if (!country) throw new Error(`The simulator has no mobile money in ${currency}.`);
  return country;
}

const prefix = 'simulated_phone_';

const indexOf = (text: string) => Number(text.slice(-1));

/** Returns null for an attempt that no phone was asked about, because the request was interrupted. */
export function answerOfPhone({ processorId, startedAt, now, amount, currency }: Charge): Verdict | null {
  if (!processorId?.startsWith(prefix)) return null;
  const phone = outcomes[indexOf(processorId)];
  const waitedMs = now.getTime() - startedAt.getTime();
  if (waitedMs < (phone?.outcome === 'times_out' ? timeoutMs : answerMs)) return { result: 'open', processorId };
  return phone?.decline ? { result: 'declined', ...phone.decline } : { result: 'paid', amount, currency };
}
