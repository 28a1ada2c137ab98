// Made by `npm run generate` from openapi/openapi.yaml. Do not edit.
import type { Route } from '../route.ts';

/** What the types of methods depend on. */
export interface Traits {
  getAccount: {  };
  createCheckout: { isKeyed: true };
  listPayments: { items: 'payments'; hasCsv: true };
  getPayment: {  };
  updatePayment: {  };
  cancelCheckout: { isKeyed: true };
  createRefund: { isKeyed: true };
  listPaymentLinks: { items: 'paymentLinks' };
  createPaymentLink: { isKeyed: true };
  getPaymentLink: {  };
  updatePaymentLink: {  };
  listRefunds: { items: 'refunds'; hasCsv: true };
  getRefund: {  };
  listCustomers: { items: 'customers'; hasCsv: true };
  getCustomer: {  };
  listWebhookEndpoints: { items: 'webhooks' };
  registerWebhookEndpoint: { isKeyed: true };
  getWebhookEndpoint: {  };
  updateWebhookEndpoint: {  };
  removeWebhookEndpoint: {  };
  sendTestEvent: {  };
  rotateWebhookSecret: { isKeyed: true };
  completeWebhookSecretRotation: { isKeyed: true };
  replayDeliveries: { isKeyed: true };
  listDeliveries: { items: 'deliveries'; hasCsv: true };
  getDelivery: {  };
  resendDelivery: { isKeyed: true };
  listEvents: { items: 'events'; isFeed: true };
  getEvent: {  };
  listTransfers: { items: 'transfers'; hasCsv: true };
  createTransfer: { isKeyed: true };
  getTransfer: {  };
  listWallets: { items: 'wallets' };
  topUpTransferWallet: { isKeyed: true };
  listWalletEntries: { items: 'entries'; hasCsv: true };
  listStorefrontProducts: { headers: { ifNoneMatch: 'If-None-Match' }; items: 'products' };
  createProduct: { isKeyed: true };
  getProduct: {  };
  updateProduct: {  };
  archiveProduct: {  };
  testCompletePayment: { isKeyed: true };
  testFailPayment: { isKeyed: true };
  testReceiveBankTransfer: { isKeyed: true };
  testFundWallet: { isKeyed: true };
  testAdvanceTime: { isKeyed: true };
  getSession: {  };
  signIn: {  };
  signOut: {  };
  listSessions: { items: 'sessions' };
  endOtherSessions: {  };
  endSession: {  };
  changePassword: {  };
  getPreferences: {  };
  updatePreferences: {  };
  requestPasswordReset: {  };
  resetPassword: {  };
  beginTwoStep: {  };
  confirmTwoStep: {  };
  renewRecoveryCodes: {  };
  removeTwoStep: {  };
  beginInvitationPasskey: {  };
  listPasskeys: { items: 'passkeys' };
  addPasskey: {  };
  renamePasskey: {  };
  removePasskey: {  };
  beginPasskey: {  };
  beginPasskeyProof: {  };
  beginPasskeySignIn: {  };
  signInWithPasskey: {  };
  listTeam: {  };
  updateMember: {  };
  removeMember: {  };
  inviteMember: {  };
  revokeInvitation: {  };
  resendInvitation: {  };
  readInvitation: {  };
  acceptInvitation: {  };
  revealWebhookSecret: {  };
  listApiKeys: { items: 'apiKeys' };
  createApiKey: {  };
  rollApiKey: {  };
  revokeApiKey: {  };
  getStatistics: {  };
  getOverview: {  };
  getLiveSetup: {  };
  listEndpointHealth: {  };
  searchRecords: {  };
  listPaymentAttempts: {  };
  getSettings: {  };
  updateSettings: {  };
  previewReceipt: {  };
  uploadLogo: {  };
  removeLogo: {  };
  listAuditEntries: { items: 'auditEntries'; hasCsv: true };
  listProducts: { items: 'products' };
  listMerchants: { items: 'merchants' };
  listOpenTransfers: { items: 'transfers' };
  getOpenTransfer: {  };
  revealAccountNumber: {  };
  settleTransfer: {  };
  failTransfer: {  };
  reverseTransfer: {  };
  listReviews: { items: 'reviews' };
  resolveReview: {  };
}

export const routes: { readonly [Id in keyof Traits]: Route } = {
  getAccount: {"method":"get","path":"/api/v1/me","credential":"bearer"},
  createCheckout: {"method":"post","path":"/api/v1/payments/checkout","credential":"x-api-key","input":"body","isKeyed":true},
  listPayments: {"method":"get","path":"/api/v1/payments","credential":"bearer","input":"query","items":"payments","takesAfter":true,"hasCsv":true},
  getPayment: {"method":"get","path":"/api/v1/payments/{reference}","credential":"bearer"},
  updatePayment: {"method":"patch","path":"/api/v1/payments/{reference}","credential":"bearer","input":"body"},
  cancelCheckout: {"method":"post","path":"/api/v1/payments/{reference}/cancel","credential":"bearer","isKeyed":true},
  createRefund: {"method":"post","path":"/api/v1/payments/{reference}/refunds","credential":"bearer","input":"body","isKeyed":true},
  listPaymentLinks: {"method":"get","path":"/api/v1/payment-links","credential":"bearer","input":"query","items":"paymentLinks","takesAfter":true},
  createPaymentLink: {"method":"post","path":"/api/v1/payment-links","credential":"bearer","input":"body","isKeyed":true},
  getPaymentLink: {"method":"get","path":"/api/v1/payment-links/{id}","credential":"bearer"},
  updatePaymentLink: {"method":"patch","path":"/api/v1/payment-links/{id}","credential":"bearer","input":"body"},
  listRefunds: {"method":"get","path":"/api/v1/refunds","credential":"bearer","input":"query","items":"refunds","takesAfter":true,"hasCsv":true},
  getRefund: {"method":"get","path":"/api/v1/refunds/{reference}","credential":"bearer"},
  listCustomers: {"method":"get","path":"/api/v1/customers","credential":"bearer","input":"query","items":"customers","takesAfter":true,"hasCsv":true},
  getCustomer: {"method":"get","path":"/api/v1/customers/{id}","credential":"bearer"},
  listWebhookEndpoints: {"method":"get","path":"/api/v1/merchant-webhooks","credential":"bearer","input":"query","items":"webhooks"},
  registerWebhookEndpoint: {"method":"post","path":"/api/v1/merchant-webhooks","credential":"bearer","input":"body","isKeyed":true},
  getWebhookEndpoint: {"method":"get","path":"/api/v1/merchant-webhooks/{id}","credential":"bearer"},
  updateWebhookEndpoint: {"method":"patch","path":"/api/v1/merchant-webhooks/{id}","credential":"bearer","input":"body"},
  removeWebhookEndpoint: {"method":"delete","path":"/api/v1/merchant-webhooks/{id}","credential":"bearer"},
  sendTestEvent: {"method":"post","path":"/api/v1/merchant-webhooks/{id}/test","credential":"bearer"},
  rotateWebhookSecret: {"method":"post","path":"/api/v1/merchant-webhooks/{id}/rotate-secret","credential":"bearer","input":"body","isKeyed":true},
  completeWebhookSecretRotation: {"method":"post","path":"/api/v1/merchant-webhooks/{id}/rotate-secret/complete","credential":"bearer","input":"body","isKeyed":true},
  replayDeliveries: {"method":"post","path":"/api/v1/merchant-webhooks/{id}/replay","credential":"bearer","input":"body","isKeyed":true},
  listDeliveries: {"method":"get","path":"/api/v1/webhook-deliveries","credential":"bearer","input":"query","items":"deliveries","takesAfter":true,"hasCsv":true},
  getDelivery: {"method":"get","path":"/api/v1/webhook-deliveries/{id}","credential":"bearer"},
  resendDelivery: {"method":"post","path":"/api/v1/webhook-deliveries/{id}/resend","credential":"bearer","isKeyed":true},
  listEvents: {"method":"get","path":"/api/v1/events","credential":"bearer","input":"query","items":"events","takesAfter":true,"isFeed":true},
  getEvent: {"method":"get","path":"/api/v1/events/{id}","credential":"bearer"},
  listTransfers: {"method":"get","path":"/api/v1/transfers","credential":"bearer","input":"query","items":"transfers","takesAfter":true,"hasCsv":true},
  createTransfer: {"method":"post","path":"/api/v1/transfers","credential":"bearer","input":"body","isKeyed":true},
  getTransfer: {"method":"get","path":"/api/v1/transfers/{reference}","credential":"bearer"},
  listWallets: {"method":"get","path":"/api/v1/wallets","credential":"bearer","input":"query","items":"wallets"},
  topUpTransferWallet: {"method":"post","path":"/api/v1/wallets/transfer/top-ups","credential":"bearer","input":"body","isKeyed":true},
  listWalletEntries: {"method":"get","path":"/api/v1/wallets/{kind}/entries","credential":"bearer","input":"query","items":"entries","takesAfter":true,"hasCsv":true},
  listStorefrontProducts: {"method":"get","path":"/api/v1/storefront/products","credential":"bearer","input":"query","headers":{"ifNoneMatch":"If-None-Match"},"items":"products"},
  createProduct: {"method":"post","path":"/api/v1/storefront/products","credential":"bearer","input":"body","isKeyed":true},
  getProduct: {"method":"get","path":"/api/v1/storefront/products/{id}","credential":"bearer"},
  updateProduct: {"method":"patch","path":"/api/v1/storefront/products/{id}","credential":"bearer","input":"body"},
  archiveProduct: {"method":"delete","path":"/api/v1/storefront/products/{id}","credential":"bearer"},
  testCompletePayment: {"method":"post","path":"/api/v1/test-helpers/payments/{reference}/complete","credential":"bearer","isKeyed":true},
  testFailPayment: {"method":"post","path":"/api/v1/test-helpers/payments/{reference}/fail","credential":"bearer","isKeyed":true},
  testReceiveBankTransfer: {"method":"post","path":"/api/v1/test-helpers/payments/{reference}/bank-transfers","credential":"bearer","input":"body","isKeyed":true},
  testFundWallet: {"method":"post","path":"/api/v1/test-helpers/wallets/fund","credential":"bearer","input":"body","isKeyed":true},
  testAdvanceTime: {"method":"post","path":"/api/v1/test-helpers/time/advance","credential":"bearer","input":"body","isKeyed":true},
  getSession: {"method":"get","path":"/api/v1/dashboard/session","credential":"session"},
  signIn: {"method":"post","path":"/api/v1/dashboard/session","credential":"session","input":"body"},
  signOut: {"method":"delete","path":"/api/v1/dashboard/session","credential":"session"},
  listSessions: {"method":"get","path":"/api/v1/dashboard/sessions","credential":"session","input":"query","items":"sessions"},
  endOtherSessions: {"method":"delete","path":"/api/v1/dashboard/sessions","credential":"session"},
  endSession: {"method":"delete","path":"/api/v1/dashboard/sessions/{id}","credential":"session"},
  changePassword: {"method":"post","path":"/api/v1/dashboard/password","credential":"session","input":"body"},
  getPreferences: {"method":"get","path":"/api/v1/dashboard/preferences","credential":"session"},
  updatePreferences: {"method":"patch","path":"/api/v1/dashboard/preferences","credential":"session","input":"body"},
  requestPasswordReset: {"method":"post","path":"/api/v1/dashboard/password-reset/request","credential":"session","input":"body"},
  resetPassword: {"method":"post","path":"/api/v1/dashboard/password-reset","credential":"session","input":"body"},
  beginTwoStep: {"method":"post","path":"/api/v1/dashboard/two-step","credential":"session","input":"body"},
  confirmTwoStep: {"method":"post","path":"/api/v1/dashboard/two-step/confirm","credential":"session","input":"body"},
  renewRecoveryCodes: {"method":"post","path":"/api/v1/dashboard/two-step/recovery-codes","credential":"session","input":"body"},
  removeTwoStep: {"method":"post","path":"/api/v1/dashboard/two-step/remove","credential":"session","input":"body"},
  beginInvitationPasskey: {"method":"post","path":"/api/v1/dashboard/invitations/passkey","credential":"session","input":"body"},
  listPasskeys: {"method":"get","path":"/api/v1/dashboard/passkeys","credential":"session","input":"query","items":"passkeys"},
  addPasskey: {"method":"post","path":"/api/v1/dashboard/passkeys","credential":"session","input":"body"},
  renamePasskey: {"method":"patch","path":"/api/v1/dashboard/passkeys/{id}","credential":"session","input":"body"},
  removePasskey: {"method":"delete","path":"/api/v1/dashboard/passkeys/{id}","credential":"session"},
  beginPasskey: {"method":"post","path":"/api/v1/dashboard/passkey-registration","credential":"session","input":"body"},
  beginPasskeyProof: {"method":"post","path":"/api/v1/dashboard/passkey-proof","credential":"session"},
  beginPasskeySignIn: {"method":"post","path":"/api/v1/dashboard/passkey-sign-in/begin","credential":"session"},
  signInWithPasskey: {"method":"post","path":"/api/v1/dashboard/passkey-sign-in","credential":"session","input":"body"},
  listTeam: {"method":"get","path":"/api/v1/dashboard/team","credential":"session"},
  updateMember: {"method":"patch","path":"/api/v1/dashboard/team/{id}","credential":"session","input":"body"},
  removeMember: {"method":"delete","path":"/api/v1/dashboard/team/{id}","credential":"session"},
  inviteMember: {"method":"post","path":"/api/v1/dashboard/team-invitations","credential":"session","input":"body"},
  revokeInvitation: {"method":"delete","path":"/api/v1/dashboard/team-invitations/{id}","credential":"session"},
  resendInvitation: {"method":"post","path":"/api/v1/dashboard/team-invitations/{id}/resend","credential":"session"},
  readInvitation: {"method":"post","path":"/api/v1/dashboard/invitations/read","credential":"session","input":"body"},
  acceptInvitation: {"method":"post","path":"/api/v1/dashboard/invitations/accept","credential":"session","input":"body"},
  revealWebhookSecret: {"method":"post","path":"/api/v1/dashboard/merchant-webhooks/{id}/reveal-secret","credential":"session","input":"body"},
  listApiKeys: {"method":"get","path":"/api/v1/dashboard/api-keys","credential":"session","input":"query","items":"apiKeys"},
  createApiKey: {"method":"post","path":"/api/v1/dashboard/api-keys","credential":"session","input":"body"},
  rollApiKey: {"method":"post","path":"/api/v1/dashboard/api-keys/{id}/roll","credential":"session","input":"body"},
  revokeApiKey: {"method":"delete","path":"/api/v1/dashboard/api-keys/{id}","credential":"session"},
  getStatistics: {"method":"get","path":"/api/v1/dashboard/statistics","credential":"session","input":"query"},
  getOverview: {"method":"get","path":"/api/v1/dashboard/overview","credential":"session","input":"query"},
  getLiveSetup: {"method":"get","path":"/api/v1/dashboard/live-setup","credential":"session"},
  listEndpointHealth: {"method":"get","path":"/api/v1/dashboard/endpoint-health","credential":"session","input":"query"},
  searchRecords: {"method":"get","path":"/api/v1/dashboard/search","credential":"session","input":"query"},
  listPaymentAttempts: {"method":"get","path":"/api/v1/dashboard/payments/{reference}/attempts","credential":"session"},
  getSettings: {"method":"get","path":"/api/v1/dashboard/settings","credential":"session"},
  updateSettings: {"method":"patch","path":"/api/v1/dashboard/settings","credential":"session","input":"body"},
  previewReceipt: {"method":"get","path":"/api/v1/dashboard/settings/receipt-preview","credential":"session","input":"query"},
  uploadLogo: {"method":"post","path":"/api/v1/dashboard/settings/logo","credential":"session","input":"body"},
  removeLogo: {"method":"delete","path":"/api/v1/dashboard/settings/logo","credential":"session"},
  listAuditEntries: {"method":"get","path":"/api/v1/dashboard/audit-entries","credential":"session","input":"query","items":"auditEntries","takesAfter":true,"hasCsv":true},
  listProducts: {"method":"get","path":"/api/v1/dashboard/products","credential":"session","input":"query","items":"products","takesAfter":true},
  listMerchants: {"method":"get","path":"/api/v1/dashboard/operator/merchants","credential":"session","input":"query","items":"merchants","takesAfter":true},
  listOpenTransfers: {"method":"get","path":"/api/v1/dashboard/operator/transfers","credential":"session","input":"query","items":"transfers","takesAfter":true},
  getOpenTransfer: {"method":"get","path":"/api/v1/dashboard/operator/transfers/{id}","credential":"session"},
  revealAccountNumber: {"method":"post","path":"/api/v1/dashboard/operator/transfers/{id}/account-number","credential":"session","input":"body"},
  settleTransfer: {"method":"post","path":"/api/v1/dashboard/operator/transfers/{id}/settle","credential":"session"},
  failTransfer: {"method":"post","path":"/api/v1/dashboard/operator/transfers/{id}/fail","credential":"session","input":"body"},
  reverseTransfer: {"method":"post","path":"/api/v1/dashboard/operator/transfers/{id}/reverse","credential":"session","input":"body"},
  listReviews: {"method":"get","path":"/api/v1/dashboard/operator/payments","credential":"session","input":"query","items":"reviews","takesAfter":true},
  resolveReview: {"method":"post","path":"/api/v1/dashboard/operator/payments/{id}/resolve","credential":"session","input":"body"},
};
