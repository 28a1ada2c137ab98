/**
 * A notification is written in the transaction of the change that it reports. A job writes the mails about it within a
 * minute, so that many notifications of one kind are one mail, and the transaction looks no person up.
 * See docs/decisions/mail.md, "Notifications wait for a minute, so that a storm is one mail".
 */
import type { WriteContext } from '../../context.ts';
import { newId } from '../../kit/ids.ts';
import type { Mode } from '../../kit/mode.ts';
import { run } from '../../platform/database/statement.ts';

interface OfMerchant<Kind extends string, Details> {
  kind: Kind;
  merchantId: string;
  mode: Mode;
  details: Details;
}

interface EndpointDetails {
  id: string;
  url: string;
}

export interface MoneyDetails {
  reference: string;
  /** In minor units. */
  amount: number;
  currency: string;
}

type ReviewedReason = 'amount_mismatch' | 'paid_late' | 'paid_twice' | 'refund_without_funds';

/** A time is a text of ISO 8601, because details are stored as JSON. */
export type Notification =
  | OfMerchant<'endpoint_failing', EndpointDetails & { since: string }>
  | OfMerchant<'endpoint_disabled', EndpointDetails & { reason: 'endpoint_gone' | 'repeated_failures' }>
  | OfMerchant<'endpoint_well', EndpointDetails>
  | OfMerchant<'api_key', { event: ApiKeyEvent; key: string; name: string | null; by: string | null }>
  | OfMerchant<'payment_review', MoneyDetails & { reason: ReviewedReason }>
  | OfMerchant<'dispute', MoneyDetails & { event: DisputeEvent; dueAt: string | null }>
  | OfMerchant<
      'transfer_failed',
      MoneyDetails & { event: 'failed' | 'reversed'; recipient: string; reason: string | null }
    >
  | {
      kind: 'processor_silent';
      merchantId: null;
      mode: 'live';
      details: { event: 'silent' | 'answers'; processor: string; since: string; reason: string };
    };

export type ApiKeyEvent = 'created' | 'rolled' | 'revoked' | 'used_after_end';
export type DisputeEvent = 'opened' | 'deadline' | 'won' | 'lost' | 'undecided';

/** Writes nothing when this service has neither a mail server nor the mailbox of a demo. */
export async function notify(tx: WriteContext, notification: Notification): Promise<void> {
  if (!tx.config.mail) return;
  const { kind, merchantId, mode, details } = notification;
  await run(tx)`
    insert into notification (id, kind, merchant_id, mode, details)
    values (${newId()}, ${kind}, ${merchantId}, ${mode}, ${JSON.stringify(details)})`;
}
