import { type Delivery, NotFoundError, type Payment } from '@tillhook/sdk/session';
import { id } from '../app/search.ts';
import { useRead } from '../app/use-read.ts';
import { email, reference } from '../kit/filter-fields.ts';

interface Found {
  payments: Payment[];
  delivery: Delivery | null;
  isAsking: boolean;
  error: Error | null;
}

/**
 * Searches the service for the typed text. The form of the text shows what it is: an email, an id, or otherwise a
 * reference.
 */
export function useFound(asked: string): Found {
  const deliveryId = id(asked) ?? '';
  const isEmail = email(asked) !== undefined;
  const isReference = reference(asked) !== undefined;
  const payments = useRead<Payment[]>({
    key: ['payments', 'found', asked],
    read: async (tillhook, options) => {
      const query = isEmail ? { customerEmail: asked, limit: 5 } : { reference: asked, limit: 1 };
      return (await tillhook.payments.list(query, options)).payments;
    },
    isEnabled: isEmail || isReference,
  });
  const delivery = useRead<Delivery | null>({
    key: ['deliveries', 'found', deliveryId],
    read: (tillhook, options) => tillhook.deliveries.get(deliveryId, options).catch(nullIfNotFound),
    isEnabled: deliveryId !== '',
  });
  return {
    payments: payments.data ?? [],
    delivery: delivery.data ?? null,
    isAsking: payments.isFetching || delivery.isFetching,
    error: payments.error ?? delivery.error,
  };
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof NotFoundError) return null;
  throw error;
}
