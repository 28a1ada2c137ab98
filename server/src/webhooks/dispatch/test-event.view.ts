import type { TestEventResult } from '@tillhook/openapi';
import { tlsFailure } from '@tillhook/openapi/rules/tls-failures';
import type { AttemptResult } from './test-event.service.ts';

export function testEventView({ event: _, errorCause, ...made }: AttemptResult): TestEventResult {
  const { delivered } = made;
  return {
    success: true,
    message: delivered ? 'The endpoint received the test event' : 'The endpoint did not receive the test event',
    data: { ...made, event: 'test.event', errorDetail: tlsFailure(errorCause) },
  };
}
