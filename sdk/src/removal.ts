import type { OperationId, OperationRequest, Output } from './operations.ts';

/** What a removal answers, for the operations that answer 404 once it is done. */
const removals: { [Id in OperationId]?: (path: Record<string, string>) => Output<Id> } = {
  removeWebhookEndpoint: ({ id = '' }) => ({
    success: true,
    message: 'Webhook endpoint removed',
    data: { id, deleted: true },
  }),
};

/** The answer that was lost, when a repeated removal finds nothing any more: then it is done. */
export function removalOf({ id, path }: OperationRequest): object | undefined {
  return removals[id]?.(path as Record<string, string>);
}
