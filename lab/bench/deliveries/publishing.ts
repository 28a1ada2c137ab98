/** What the benchmark asks of a process that publishes events, and what it answers. */
import { atSteadyPace } from '../steady-pace.ts';

/** An endpoint that gets events. For a merchant without one, only the merchant counts. */
export interface Recipient {
  merchantId: string;
  endpointId: string;
  url: string;
}

/** Events for the recipients in turn. */
export interface Publishing {
  recipients: Recipient[];
  total: number;
  perSecond: number;
}

/** The reference of an event, and when its commit was acknowledged, in milliseconds since 1970. */
export type Acknowledged = [reference: string, at: number];

export type PublishOne = (recipient: Recipient, event: { reference: string; onCommit: () => void }) => Promise<void>;

/** Publishes as the benchmark asks, and answers with the commits when all have been made. */
export function answerPublishing(publishOne: PublishOne): void {
  process.on('message', async ({ recipients, total, perSecond }: Publishing) => {
    const acknowledged: Acknowledged[] = [];
    const begin = async (index: number) => {
      const recipient = recipients[index % recipients.length];
      if (!recipient) throw new Error('Nobody gets the events.');
      const reference = `event-${index}`;
      const onCommit = () => acknowledged.push([reference, performance.timeOrigin + performance.now()]);
      await publishOne(recipient, { reference, onCommit });
    };
    await atSteadyPace({ total, perSecond, begin });
    process.send?.(acknowledged);
  });
  process.send?.('ready');
}
