import { useRead } from '../app/use-read.ts';
import { choiceField, type FilterField } from '../kit/filter-fields.ts';

/** The page of a payment link leads to this filter, so the list has it only after the user has come from there. */
export function useLinkField(linkId: string | undefined): FilterField<'paymentLinkId'>[] {
  const link = useRead({
    key: ['payment-links', linkId],
    read: (tillhook, options) => tillhook.paymentLinks.get(linkId ?? '', options),
    isEnabled: linkId !== undefined,
  });
  if (linkId === undefined) return [];
  return [choiceField('paymentLinkId', 'Payment link', [{ value: linkId, label: link.data?.name ?? linkId }])];
}
