import type { OperationId } from '@tillhook/openapi';

/**
 * The names of the request values that an operation's answer repeats. The answers of other operations repeat no values.
 */
export const repeated: Partial<Record<OperationId, string[]>> = {
  createCheckout: ['reference'],
  getPayment: ['reference'],
  cancelCheckout: ['reference'],
  createRefund: ['amount', 'reason', 'metadata'],
  getRefund: ['reference'],
  registerWebhookEndpoint: ['url'],
  getWebhookEndpoint: ['id'],
  updateWebhookEndpoint: ['id', 'url', 'isActive'],
  removeWebhookEndpoint: ['id'],
  rotateWebhookSecret: ['id'],
  completeWebhookSecretRotation: ['id'],
  getDelivery: ['id'],
  getEvent: ['id'],
  createTransfer: ['reference', 'amount', 'metadata', 'narration'],
  getTransfer: ['reference'],
  topUpTransferWallet: ['currency'],
  createProduct: ['name', 'price', 'stock', 'description'],
  getProduct: ['id'],
  updateProduct: ['id', 'name', 'stock'],
  archiveProduct: ['id'],
  testCompletePayment: ['reference'],
  testFailPayment: ['reference'],
  testFundWallet: ['currency'],
  testAdvanceTime: ['seconds'],
  revealWebhookSecret: ['id'],
  endSession: ['id'],
  revealAccountNumber: ['id'],
  createApiKey: ['name', 'scopes'],
  revokeApiKey: ['id'],
  updateSettings: ['name'],
};
