/** Deliberate faults of webhooks, for tests of receivers. The mock neither retries nor lists webhooks with a fault. */

interface Rule {
  /** Completes the sentence "The receiver refused a webhook …". */
  what: string;
  isToBeRefused: boolean;
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

export const unknownEvent = 'mock.unknown_event';

/** The age of a webhook with an old timestamp: more than the SDK's tolerance of five minutes. */
export const oldSeconds = 3_600;
