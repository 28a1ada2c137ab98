import type { TestEventResult } from '@tillhook/openapi';
import type { AttemptResult } from './deliver-now.ts';

export function testEventView({
  deliveryId,
  attempt,
  delivered,
  statusCode,
  durationMs,
  error,
  responseBody,
}: AttemptResult): TestEventResult {
  return {
    success: true,
    message: delivered ? 'The endpoint received the test event' : 'The endpoint did not receive the test event',
    data: { deliveryId, event: 'test.event', attempt, delivered, statusCode, durationMs, error, responseBody },
  };
}
