import { atSteadyPace } from '../steady-pace.ts';

export interface Recipient {
  merchantId: string;
  endpointId: string;
  url: string;
}

export interface Publishing {
  recipients: Recipient[];
  total: number;
  perSecond: number;
}

export type Acknowledged = [reference: string, at: number];

export type PublishOne = (recipient: Recipient, event: { reference: string; onCommit: () => void }) => Promise<void>;

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
