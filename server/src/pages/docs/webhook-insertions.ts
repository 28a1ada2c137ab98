import { namedSchema } from '@tillhook/openapi';
import { markdownTable } from './markdown-table.ts';
import type { PortalSource } from './portal-source.ts';

/** Facts about deliveries for the guides, from the contract and from the settings of this server. */
export const deliveryInsertions: Record<string, (source: PortalSource) => string> = {
  eventNames: ({ model }) => model.webhooks.map(({ name }) => `\`${name}\``).join(', '),
  deliveryTimeout: ({ delivery }) => inWords(delivery.timeoutMs),
  retentionDays: ({ retentionDays }) => String(retentionDays),
  /** What a receiver may answer. The contract says the same for each event. */
  deliveryAnswer: ({ model }) => model.webhooks[0]?.expectedAnswer ?? '',
  deliveryStatus: ({ model }) => namedSchema(model, 'DeliveryStatus').description ?? '',
  retryTimetable: ({ delivery }) => {
    const { retryDelaysMs, timeoutMs } = delivery;
    const rows = [0, ...retryDelaysMs].map((delayMs, index) => [
      `\`X-Service-Attempt: ${index + 1}\``,
      index === 0 ? 'at once' : `${inWords(delayMs)} after attempt ${index} failed`,
      index < retryDelaysMs.length ? `attempt ${index + 2} follows` : 'the delivery is `failed`',
    ]);
    return `Each attempt may take ${inWords(timeoutMs)} in all, the answer included.

${markdownTable(['Attempt', 'When', 'If it fails'], rows)}`;
  },
};

/** `2 hours`, `15 seconds`: a whole number of the largest unit that is possible. */
function inWords(ms: number): string {
  const units = { hour: 3_600_000, minute: 60_000, second: 1000, millisecond: 1 };
  const [unit, size] = Object.entries(units).find(([, length]) => ms >= length && ms % length === 0) ?? [
    'millisecond',
    1,
  ];
  return `${ms / size} ${unit}${ms === size ? '' : 's'}`;
}
