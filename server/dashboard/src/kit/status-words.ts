/** The one word for each status of the service's records. Badges and filters use these words. */
const words: Readonly<Record<string, string>> = {
  active: 'Active',
  archived: 'Archived',
  cancelled: 'Cancelled',
  completed: 'Completed',
  declined: 'Declined',
  delivered: 'Delivered',
  disabled: 'Disabled',
  expired: 'Expired',
  failed: 'Failed',
  failing: 'Failing',
  limit_reached: 'Limit reached',
  needs_review: 'Needs review',
  off: 'Off',
  on: 'On',
  open: 'Open',
  paid: 'Paid',
  paused: 'Paused',
  pending: 'Pending',
  processing: 'Processing',
  refunded: 'Refunded',
  retrying: 'Retrying',
  reversed: 'Reversed',
  revoked: 'Revoked',
  skipped: 'Skipped',
  stopped: 'Stopped',
  suspended: 'Suspended',
  you: 'You',
};

/** A newer service may have a status that this page does not know. */
export function statusWord(status: string): string {
  return words[status] ?? readable(status);
}

/** Returns "Under review" for `under_review`. */
export function readable(code: string): string {
  const text = code.replaceAll('_', ' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

interface Failure {
  failureReason: string | null;
  failureCode: string | null;
}

/** Returns null when the refund or the transfer has not failed. */
export function whyItFailed({ failureReason, failureCode }: Failure): string | null {
  if (failureReason === null) return failureCode;
  return failureCode === null ? failureReason : `${failureReason} (${failureCode})`;
}
