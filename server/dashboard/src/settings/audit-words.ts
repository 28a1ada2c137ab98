/** A description of each action in the audit log. The keys are the names of operations and commands. */
export const auditWords: Record<string, string> = {
  signIn: 'Signed in',
  signOut: 'Signed out',
  endSession: 'Ended a session',
  changePassword: 'Changed the password',
  confirmTwoStep: 'Turned two-step sign-in on',
  renewRecoveryCodes: 'Made new recovery codes',
  removeTwoStep: 'Turned two-step sign-in off',
  createApiKey: 'Created an API key',
  rollApiKey: 'Rolled an API key',
  revokeApiKey: 'Revoked an API key',
  revealWebhookSecret: 'Looked at a signing secret',
  registerWebhookEndpoint: 'Added an endpoint',
  updateWebhookEndpoint: 'Changed an endpoint',
  removeWebhookEndpoint: 'Removed an endpoint',
  rotateWebhookSecret: 'Staged a new signing secret',
  completeWebhookSecretRotation: 'Completed a rotation',
  sendTestEvent: 'Sent a test event',
  resendDelivery: 'Sent a delivery again',
  replayDeliveries: 'Replayed deliveries',
  createCheckout: 'Created a checkout link',
  cancelCheckout: 'Cancelled a checkout',
  testCompletePayment: 'Completed a test payment',
  testFailPayment: 'Failed a test payment',
  testFundWallet: 'Funded a test wallet',
  testAdvanceTime: 'Let time pass in test mode',
  createRefund: 'Refunded a payment',
  createTransfer: 'Created a transfer',
  topUpTransferWallet: 'Topped up the Transfer wallet',
  createProduct: 'Created a product',
  updateProduct: 'Changed a product',
  archiveProduct: 'Archived a product',
  updateSettings: 'Changed the settings',
  uploadLogo: 'Uploaded a logo',
  removeLogo: 'Removed the logo',
  createUser: 'Added a user',
  resetPassword: 'Reset a password',
  requireTwoStep: 'Required two-step sign-in of all users',
  stopRequiringTwoStep: 'Stopped requiring two-step sign-in',
  setTransferFee: 'Set the fee of transfers',
  suspendMerchant: 'Suspended the merchant',
  resumeMerchant: 'Resumed the merchant',
  settleTransfer: 'Settled a transfer',
  failTransfer: 'Failed a transfer',
  reverseTransfer: 'Reversed a transfer',
  revealAccountNumber: 'Looked at an account number',
  completeReviewedPayment: 'Accepted a payment under review',
  refuseReviewedPayment: 'Refused a payment under review',
};

/**
 * Returns the description of an action. An action that this version of the page does not know is shown by its name:
 * "exportPayments" as "Export payments".
 */
export function inWords(action: string): string {
  const spaced = action.replaceAll(/([A-Z])/g, ' $1').toLowerCase();
  return auditWords[action] ?? `${spaced.charAt(0).toUpperCase()}${spaced.slice(1)}`;
}
