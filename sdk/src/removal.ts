import type { OperationId, OperationRequest, Output } from './operations.ts';

/** The answers of removals, for operations that answer 404 after the removal. */
const removals: { [Id in OperationId]?: (path: Record<string, string>) => Output<Id> } = {
  removeWebhookEndpoint: ({ id = '' }) => ({
    success: true,
    message: 'Webhook endpoint removed',
    data: { id, deleted: true },
  }),
};

/** Returns the lost answer of a removal whose retry got 404, because then an earlier attempt has succeeded. */
export function removalOf({ id, path }: OperationRequest): object | undefined {
  return removals[id]?.(path as Record<string, string>);
}
