/**
 * Deliberate faults of webhooks, for tests of receivers. Each fault has the correct reaction of a receiver. The service
 * rarely or never sends webhooks with these faults. The mock sends such webhooks without retries, and does not list
 * them as events.
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

/** An event name that does not exist in any version of the contract. */
export const unknownEvent = 'mock.unknown_event';

/**
 * The age in seconds of a webhook with an old timestamp. Every receiver should reject a webhook of this age: the
 * tolerance of the SDK is five minutes.
 */
export const oldSeconds = 3_600;
