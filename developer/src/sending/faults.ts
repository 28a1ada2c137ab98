/**
 * Webhooks that a receiver must be able to deal with, and that a service sends rarely or never. Each says what a correct
 * receiver does with it. A webhook with a fault is not sent again, and is not in the list of events.
 */

interface Rule {
  /** The faulty webhook in words, after "a webhook". */
  what: string;
  isToBeRefused: boolean;
  /** How often it is sent. */
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

/** The name of the event that no contract has. */
export const unknownEvent = 'mock.unknown_event';

/** Older than every tolerance that a receiver should have: the SDK accepts five minutes. */
export const oldSeconds = 3_600;
