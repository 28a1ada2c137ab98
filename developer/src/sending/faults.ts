/**
 * Deliberate faults of webhooks, to test a receiver, each with the correct reaction. A service sends such webhooks
 * rarely or never. The mock sends them without retries, and does not list them as events.
 */

interface Rule {
  /** Completes the sentence "The receiver refused a webhook …". */
  what: string;
  isToBeRefused: boolean;
  /** The number of times that the webhook is sent. */
  times: number;
}

export const faults = {
  'bad-signature': { what: 'signed with another secret', isToBeRefused: true, times: 1 },
  old: { what: 'signed an hour ago', isToBeRefused: true, times: 1 },
  twice: { what: 'that comes twice with the same webhook-id', isToBeRefused: false, times: 2 },
  'unknown-event': { what: 'of an event that is not in the contract', isToBeRefused: false, times: 1 },
} as const satisfies Record<string, Rule>;

export type Fault = keyof typeof faults;

export const faultNames = Object.keys(faults) as Fault[];

/** An event name that no contract has. */
export const unknownEvent = 'mock.unknown_event';

/** More than every tolerance that a receiver should have: the SDK accepts five minutes. */
export const oldSeconds = 3_600;
