import type { TestEventResult } from '@tillhook/sdk/session';
import { useState } from 'react';
import { type ServiceMutation, useServiceMutation } from '../kit/use-service-mutation.ts';

interface TestEventSending {
  sending: ServiceMutation<string>;
  result: TestEventResult['data'] | null;
}

/** Each call sends a new event, so a lost response is not retried. */
export function useTestEvent(): TestEventSending {
  const [result, setResult] = useState<TestEventResult['data'] | null>(null);
  const sending = useServiceMutation({
    mutate: (tillhook, id: string) => tillhook.webhookEndpoints.sendTest(id),
    isRepeatable: false,
    changes: ['deliveries', 'events', 'webhooks', 'statistics'],
    onAnswer: ({ data }) => setResult(data),
  });
  return { sending, result };
}
