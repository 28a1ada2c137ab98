/**
 * The stored screenshots, each of one page in one look. People compare them, so there are only a few: the pages that
 * customers, merchants and readers see most often, and the looks that differ most (dark, narrow, right to left,
 * printed).
 */
export const storedPictures: readonly string[] = [
  'the-card-form.wide-light',
  'the-card-form-of-a-merchant-with-a-logo-and-a-colour.wide-dark',
  'the-card-form-with-mistakes.narrow-light',
  'the-page-after-a-decline.narrow-dark',
  'the-receipt-with-line-items.wide-light',
  'the-receipt-in-arabic.narrow-light',
  'the-receipt-on-paper.wide-light',
  'the-home-page.wide-light',
  'docs.wide-light',
  'docs-operations.narrow-dark',
  'docs-reference-getaccount.wide-light',
  'an-answer-to-a-request-that-a-reader-sent.wide-dark',
  'dashboard-home.wide-light',
  'dashboard-home-of-a-new-account.wide-light',
  'dashboard-payments.narrow-dark',
  'dashboard-a-payment.wide-light',
  'dashboard-a-delivery-that-failed.wide-light',
  'dashboard-an-event.narrow-dark',
  'dashboard-an-endpoint.wide-light',
  'dashboard-money-is-sent.narrow-dark',
];
