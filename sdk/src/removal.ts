import type { OperationId, OperationRequest, Output } from './operations.ts';

/** The answers to successful removals, by operation. A repeated removal is answered with 404. */
const removals: { [Id in OperationId]?: (path: Record<string, string>) => Output<Id> } = {
  removeWebhookEndpoint: ({ id = '' }) => ({
    success: true,
    message: 'Webhook endpoint removed',
    data: { id, deleted: true },
  }),
};

/** Returns the lost answer of a removal whose retry got 404, because an earlier attempt has removed the record. */
export function removalOf({ id, path }: OperationRequest): object | undefined {
  return removals[id]?.(path as Record<string, string>);
}
