/** The messages between the benchmark and a process that publishes events. */
import { atSteadyPace } from '../steady-pace.ts';

/**
 * A merchant for whom events are published, and its endpoint. For a merchant without an endpoint, only `merchantId` is
 * used.
 */
export interface Recipient {
  merchantId: string;
  endpointId: string;
  url: string;
}

/** A request to publish events for each of these merchants in turn. */
export interface Publishing {
  recipients: Recipient[];
  total: number;
  perSecond: number;
}

/** The reference of an event, and the time at which its commit was acknowledged, in milliseconds since 1970. */
export type Acknowledged = [reference: string, at: number];

export type PublishOne = (recipient: Recipient, event: { reference: string; onCommit: () => void }) => Promise<void>;

/** Publishes events on request, and replies with the times of the commits. */
export function answerPublishing(publishOne: PublishOne): void {
  process.on('message', async ({ recipients, total, perSecond }: Publishing) => {
    const acknowledged: Acknowledged[] = [];
    const begin = async (index: number) => {
      const recipient = recipients[index % recipients.length];
      if (!recipient) throw new Error('The list of recipients is empty.');
      const reference = `event-${index}`;
      const onCommit = () => acknowledged.push([reference, performance.timeOrigin + performance.now()]);
      await publishOne(recipient, { reference, onCommit });
    };
    await atSteadyPace({ total, perSecond, begin });
    process.send?.(acknowledged);
  });
  process.send?.('ready');
}
