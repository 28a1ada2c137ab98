import type { OperationId, OperationRequest, Output } from './operations.ts';

/** The response bodies of successful removals, by operation. The server responds with 404 to a repeated removal. */
const removals: { [Id in OperationId]?: (path: Record<string, string>) => Output<Id> } = {
  removeWebhookEndpoint: ({ id = '' }) => ({
    success: true,
    message: 'Webhook endpoint removed',
    data: { id, deleted: true },
  }),
};

/**
 * Returns the body of the lost response to a removal, when the retry got 404 because an earlier attempt removed the
 * record.
 */
export function removalOf({ id, path }: OperationRequest): object | undefined {
  return removals[id]?.(path as Record<string, string>);
}
