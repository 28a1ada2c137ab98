// Made by `npm run generate` from openapi/openapi.yaml. Do not edit.
import type { components } from '@tillhook/openapi';

type Schemas = components['schemas'];
/**
 * The merchant, the mode and the key of a call.
 */
export type Account = Schemas['Account'];
/**
 * The key of this call.
 */
export type AccountKey = Schemas['AccountKey'];
/**
 * By how many seconds deadlines come nearer. 2,592,000 seconds are 30 days.
 */
export type AdvanceSeconds = Schemas['AdvanceSeconds'];
/**
 * In the minor unit of the currency, with the exponents of ISO 4217 (2 for NGN and USD, 0 for JPY). Amounts are whole numbers in every call and event, because whole numbers are exact.
 */
export type Amount = Schemas['Amount'];
/**
 * An amount in the minor unit of the currency, or null for none.
 */
export type AmountOrNull = Schemas['AmountOrNull'];
/**
 * In milliseconds; null without such attempts. The shortest time within which that share of the attempts was
 * answered or timed out.
 * It is always a time that was measured, never an average of two (`percentile_disc` of SQL).
 */
export type AnswerTime = Schemas['AnswerTime'];
/**
 * How long receivers took to answer with any status, in milliseconds, for the deliveries that are counted. An
 * attempt that timed out counts with the time until then. Other attempts without an answer, such as a refused
 * connection, do not count. Null when deliveries are not kept long enough to be compared.
 */
export type AnswerTimes = Schemas['AnswerTimes'];
/**
 * A key, without the key itself.
 */
export type ApiKey = Schemas['ApiKey'];
export type ApiKeyList = Schemas['ApiKeyList'];
export type ApiKeyRequest = Schemas['ApiKeyRequest'];
/**
 * The card; null for another method, and while the payment processor asks the customer for it.
 */
export type AttemptCard = Schemas['AttemptCard'];
export type Attention = Schemas['Attention'];
/**
 * What needs attention.
 */
export type AttentionKind = Schemas['AttentionKind'];
/**
 * What was done, as the name of the operation or command.
 */
export type AuditAction = Schemas['AuditAction'];
/**
 * Who did it: a user of the dashboard, or `operator` for the operator of the service, at the command line or
 * in the dashboard.
 */
export type AuditActor = Schemas['AuditActor'];
export type AuditEntry = Schemas['AuditEntry'];
export type AuditEntryList = Schemas['AuditEntryList'];
/**
 * What the authenticator must do.
 */
export type AuthenticatorSelection = Schemas['AuthenticatorSelection'];
/**
 * Money that comes in.
 */
export type BankTransferReceipt = Schemas['BankTransferReceipt'];
/**
 * The IP address that the call came from; null when it is not known.
 */
export type CallerAddress = Schemas['CallerAddress'];
/**
 * The first 300 characters of the call's `User-Agent`; null when it had none.
 */
export type CallerBrowser = Schemas['CallerBrowser'];
/**
 * Who cancelled a payment; null when it was not cancelled.
 */
export type CancelledBy = Schemas['CancelledBy'];
/**
 * The card's brand.
 */
export type CardBrand = Schemas['CardBrand'];
export type CheckoutEventData = Schemas['CheckoutEventData'];
export type CheckoutExpiredEventData = Schemas['CheckoutExpiredEventData'];
/**
 * A checkout that ended without a payment, and the state of the event's deliveries.
 */
export type CheckoutExpiredEventRecord = Schemas['CheckoutExpiredEventRecord'];
export type CheckoutFailedEventData = Schemas['CheckoutFailedEventData'];
/**
 * A failed payment, and the state of the event's deliveries.
 */
export type CheckoutFailedEventRecord = Schemas['CheckoutFailedEventRecord'];
/**
 * One item of a new checkout.
 */
export type CheckoutLineItem = Schemas['CheckoutLineItem'];
export type CheckoutRequest = Schemas['CheckoutRequest'];
export type CheckoutSession = Schemas['CheckoutSession'];
/**
 * Where the customer pays, and the reference of the payment.
 */
export type CheckoutSessionData = Schemas['CheckoutSessionData'];
/**
 * A completed payment, and the state of the event's deliveries.
 */
export type CheckoutSuccessEventRecord = Schemas['CheckoutSuccessEventRecord'];
/**
 * The language and country of the dashboard, as a BCP 47 tag; null for the language of the user's browser. Dates and numbers follow each language; words are in English or French.
 */
export type ChosenLanguage = Schemas['ChosenLanguage'];
/**
 * The new password.
 */
export type ChosenPassword = Schemas['ChosenPassword'];
/**
 * The `clientDataJSON` of the browser, in base64url.
 */
export type ClientData = Schemas['ClientData'];
/**
 * Required where two-step sign-in is on, and ignored otherwise: the six digits of the authenticator application,
 * or a recovery code. Spaces and hyphens are ignored. A code works once.
 */
export type Code = Schemas['Code'];
/**
 * A key in full, which no later answer shows.
 */
export type CreatedApiKey = Schemas['CreatedApiKey'];
/**
 * Names a passkey.
 */
export type CredentialDescriptor = Schemas['CredentialDescriptor'];
/**
 * The credential's id, in base64url.
 */
export type CredentialId = Schemas['CredentialId'];
/**
 * How the browser reaches the authenticator, such as `internal` or `usb`.
 */
export type CredentialTransports = Schemas['CredentialTransports'];
/**
 * An ISO 4217 code.
 */
export type Currency = Schemas['Currency'];
/**
 * The payments in one currency.
 */
export type CurrencyPaymentCounts = Schemas['CurrencyPaymentCounts'];
/**
 * The money that moved in one currency, in its minor unit.
 */
export type CurrencyVolume = Schemas['CurrencyVolume'];
export type Customer = Schemas['Customer'];
/**
 * One page of customers.
 */
export type CustomerList = Schemas['CustomerList'];
/**
 * The completed payments of a customer in one currency.
 */
export type CustomerVolume = Schemas['CustomerVolume'];
/**
 * A reason why cards were declined, and how often.
 */
export type DeclineReason = Schemas['DeclineReason'];
/**
 * One event for one endpoint.
 */
export type Delivery = Schemas['Delivery'];
export type DeliveryAttempt = Schemas['DeliveryAttempt'];
export type DeliveryCounts = Schemas['DeliveryCounts'];
/**
 * A delivery with what was sent and every attempt.
 */
export type DeliveryDetail = Schemas['DeliveryDetail'];
/**
 * Why an attempt got no answer; null when a status and headers came.
 */
export type DeliveryError = Schemas['DeliveryError'];
/**
 * What exactly failed, in one sentence, where more is known than `error` says: for `tls_failed`, for example, that the
 * certificate has expired. Null otherwise.
 */
export type DeliveryErrorDetail = Schemas['DeliveryErrorDetail'];
/**
 * One page of deliveries.
 */
export type DeliveryList = Schemas['DeliveryList'];
/**
 * The request that the service sends, as of the latest attempt.
 */
export type DeliveryRequest = Schemas['DeliveryRequest'];
/**
 * `pending` while attempts are still to come, then `delivered`, or `failed` after the last attempt. A `pending`
 * delivery whose `attemptCount` is above 0 is retrying: each of its attempts failed, and the next one comes. Only
 * `resendDelivery` and `replayDeliveries` send a failed delivery again. `skipped` when the endpoint was inactive
 * or removed before it received the event.
 */
export type DeliveryStatus = Schemas['DeliveryStatus'];
/**
 * Why the delivery ended without success; null otherwise.
 */
export type DeliveryStatusReason = Schemas['DeliveryStatusReason'];
/**
 * The language and country of the dashboard, as a BCP 47 tag; null for the language of the user's browser. Dates and numbers follow each language; words are in English or French.
 */
export type DisplayLanguage = Schemas['DisplayLanguage'];
/**
 * How the pages of the dashboard look to the user.
 */
export type DisplayPreferences = Schemas['DisplayPreferences'];
/**
 * An e-mail address. Its domain may have letters of any script, such as `ada@müller.example`. It is stored as you sent
 * it, and given to mail programs and to the payment processor in ASCII, as `ada@xn--mller-kva.example`. Before the
 * `@` it has ASCII only, because few mail servers take anything else.
 */
export type Email = Schemas['Email'];
/**
 * Why the service disabled an endpoint.
 */
export type EndpointDisabledReason = Schemas['EndpointDisabledReason'];
export type EndpointHealth = Schemas['EndpointHealth'];
/**
 * The deliveries of one hour.
 */
export type EndpointHealthHour = Schemas['EndpointHealthHour'];
export type EndpointHealthList = Schemas['EndpointHealthList'];
/**
 * The failure, for programs. Each code is explained at its `docUrl`.
 */
export type ErrorCode = Schemas['ErrorCode'];
/**
 * The failure, for programs.
 */
export type ErrorContent = Schemas['ErrorContent'];
/**
 * One problem of the request.
 */
export type ErrorDetail = Schemas['ErrorDetail'];
export type ErrorBody = Schemas['ErrorResponse'];
/**
 * The kind of failure.
 */
export type ErrorType = Schemas['ErrorType'];
/**
 * How many deliveries of the event are in each status.
 */
export type EventDeliveryCounts = Schemas['EventDeliveryCounts'];
/**
 * One page of events.
 */
export type EventList = Schemas['EventList'];
/**
 * The name of an event.
 */
export type EventName = Schemas['EventName'];
/**
 * Something that happened, and the state of its deliveries. `event` says what happened, and so what `data` has: the
 * same as in the webhook. A later version may add events.
 */
export type Event = Schemas['EventRecord'];
/**
 * The reference of the payment, transfer or refund that the event is about; null when there is none.
 */
export type EventReference = Schemas['EventReference'];
/**
 * Why a checkout ended without a payment.
 */
export type ExpiryReason = Schemas['ExpiryReason'];
/**
 * An endpoint that does not receive its events.
 */
export type FailingEndpoint = Schemas['FailingEndpoint'];
/**
 * Which of the first steps this account has taken in this mode.
 */
export type FirstSteps = Schemas['FirstSteps'];
export type FundingRequest = Schemas['FundingRequest'];
/**
 * A UUID.
 */
export type Id = Schemas['Id'];
/**
 * An invitation that waits to be accepted.
 */
export type Invitation = Schemas['Invitation'];
export type InvitationAcceptance = Schemas['InvitationAcceptance'];
export type InvitationRequest = Schemas['InvitationRequest'];
export type InvitationToken = Schemas['InvitationToken'];
/**
 * An invitation with its link, which only this answer has, or only the mail.
 */
export type InvitationWithLink = Schemas['InvitationWithLink'];
/**
 * The e-mail address of the user who invited, or who sent the invitation again; null for the operator of the service.
 */
export type InvitedBy = Schemas['InvitedBy'];
/**
 * Deliveries by outcome; null when they are not kept long enough to be compared.
 */
export type KeptDeliveryCounts = Schemas['KeptDeliveryCounts'];
/**
 * The last characters of the key.
 */
export type KeyEnd = Schemas['KeyEnd'];
/**
 * What the key is for.
 */
export type KeyName = Schemas['KeyName'];
/**
 * The first characters of the key.
 */
export type KeyPrefix = Schemas['KeyPrefix'];
/**
 * One item that the customer pays for.
 */
export type LineItem = Schemas['LineItem'];
/**
 * The token in the link, after `token=`.
 */
export type LinkToken = Schemas['LinkToken'];
export type LiveNeed = Schemas['LiveNeed'];
/**
 * Something that live mode needs.
 */
export type LiveNeedKind = Schemas['LiveNeedKind'];
/**
 * What live mode needs.
 */
export type LiveSetup = Schemas['LiveSetup'];
/**
 * A BCP 47 language tag, such as `en-NG`, `pt-BR` or `ar-EG-u-nu-arab`. It chooses the language of the hosted page: English
 * (`en`), French (`fr`), Spanish (`es`), Portuguese (`pt`), German (`de`) or Arabic (`ar`, from right to left). For a tag of
 * another language, and without a tag, the page is in the first of these languages that the customer's browser asks for,
 * otherwise in English. Amounts, dates and digits follow the whole tag, such as Arabic digits after `-u-nu-arab`; without a
 * tag they follow the language of the page.
 */
export type Locale = Schemas['Locale'];
export type LogoUpload = Schemas['LogoUpload'];
/**
 * A user of a merchant.
 */
export type Member = Schemas['Member'];
/**
 * The role of a user of a merchant; `UserRole` says what each may do.
 */
export type MemberRole = Schemas['MemberRole'];
export type MemberUpdate = Schemas['MemberUpdate'];
export type Merchant = Schemas['Merchant'];
/**
 * The merchant's name, as customers see it.
 */
export type MerchantName = Schemas['MerchantName'];
/**
 * A merchant as operators see it.
 */
export type MerchantRecord = Schemas['MerchantRecord'];
export type MerchantRecordList = Schemas['MerchantRecordList'];
/**
 * The time zone whose days the figures of the dashboard have: a name of the IANA database, such as `Africa/Lagos`.
 * It is `UTC` until the merchant chooses another one. The API writes all moments in UTC.
 */
export type MerchantTimeZone = Schemas['MerchantTimeZone'];
/**
 * The merchant's own key-value pairs. They never appear in a webhook.
 */
export type Metadata = Schemas['Metadata'];
/**
 * Your own key-value pairs. They never appear in a webhook. A key is one line, and no text has control characters, apart
 * from tabs and line breaks in values, or characters that turn the direction of text.
 */
export type MetadataRequest = Schemas['MetadataRequest'];
/**
 * The operator of mobile money; only with this type.
 */
export type MobileOperator = Schemas['MobileOperator'];
/**
 * `live` moves real money, `test` does not.
 */
export type Mode = Schemas['Mode'];
/**
 * An amount in the currency's minor unit. 9007199254740991 means so much or more.
 */
export type MovedAmount = Schemas['MovedAmount'];
/**
 * How many deadlines came nearer, by what they belong to.
 */
export type MovedDeadlines = Schemas['MovedDeadlines'];
/**
 * One line, not blank, without control characters and without characters that turn the direction of text.
 */
export type NewName = Schemas['NewName'];
/**
 * A kind of mail that users may switch off.
 */
export type NotificationKind = Schemas['NotificationKind'];
/**
 * What an invitation offers.
 */
export type OfferedInvitation = Schemas['OfferedInvitation'];
/**
 * A way to pay.
 */
export type OfferedPaymentMethod = Schemas['OfferedPaymentMethod'];
export type OperatorTransfer = Schemas['OperatorTransfer'];
export type OperatorTransferList = Schemas['OperatorTransferList'];
export type Overview = Schemas['Overview'];
export type OverviewFigures = Schemas['OverviewFigures'];
/**
 * What happened in one hour or day.
 */
export type OverviewInterval = Schemas['OverviewInterval'];
/**
 * A passkey of a user. The service has only its public key.
 */
export type Passkey = Schemas['Passkey'];
/**
 * A signature algorithm, by its number in COSE.
 */
export type PasskeyAlgorithm = Schemas['PasskeyAlgorithm'];
/**
 * What `navigator.credentials.get` returned. It works once.
 */
export type PasskeyAssertion = Schemas['PasskeyAssertion'];
/**
 * 32 random bytes in base64url, which work once.
 */
export type PasskeyChallenge = Schemas['PasskeyChallenge'];
/**
 * The `PublicKeyCredentialCreationOptionsJSON` of the W3C's Web Authentication.
 */
export type PasskeyCreationOptions = Schemas['PasskeyCreationOptions'];
/**
 * The domain of this service.
 */
export type PasskeyDomain = Schemas['PasskeyDomain'];
export type PasskeyList = Schemas['PasskeyList'];
/**
 * The user for whom the passkey is made.
 */
export type PasskeyOwner = Schemas['PasskeyOwner'];
/**
 * What `navigator.credentials.create` returned.
 */
export type PasskeyRegistration = Schemas['PasskeyRegistration'];
export type PasskeyRename = Schemas['PasskeyRename'];
/**
 * The `PublicKeyCredentialRequestOptionsJSON` of the W3C's Web Authentication.
 */
export type PasskeyRequestOptions = Schemas['PasskeyRequestOptions'];
/**
 * This service.
 */
export type PasskeyService = Schemas['PasskeyService'];
/**
 * The life of the challenge in milliseconds.
 */
export type PasskeyTimeout = Schemas['PasskeyTimeout'];
/**
 * The user's password.
 */
export type Password = Schemas['Password'];
export type PasswordChange = Schemas['PasswordChange'];
export type PasswordReset = Schemas['PasswordReset'];
export type PasswordResetRequest = Schemas['PasswordResetRequest'];
export type Payment = Schemas['Payment'];
export type PaymentAttempt = Schemas['PaymentAttempt'];
export type PaymentAttemptList = Schemas['PaymentAttemptList'];
/**
 * One record for each currency in which there was a payment.
 */
export type PaymentCounts = Schemas['PaymentCounts'];
/**
 * Why the last attempt was declined, for programs. In live mode it may also be another code of the payment processor.
 */
export type PaymentFailureCode = Schemas['PaymentFailureCode'];
export type PaymentLink = Schemas['PaymentLink'];
/**
 * One page of payment links.
 */
export type PaymentLinkList = Schemas['PaymentLinkList'];
export type PaymentLinkRequest = Schemas['PaymentLinkRequest'];
/**
 * Whether customers can pay by the link.
 */
export type PaymentLinkStatus = Schemas['PaymentLinkStatus'];
/**
 * What to change; at least one field.
 */
export type PaymentLinkUpdate = Schemas['PaymentLinkUpdate'];
/**
 * One page of payments.
 */
export type PaymentList = Schemas['PaymentList'];
/**
 * What the customer paid with. Null before the first attempt, and in live mode until the card is known.
 */
export type PaymentMethod = Schemas['PaymentMethod'];
/**
 * The kind of payment method.
 */
export type PaymentMethodType = Schemas['PaymentMethodType'];
/**
 * What the merchant's people wrote about the payment. The customer never sees it.
 */
export type PaymentNote = Schemas['PaymentNote'];
/**
 * `pending` until the customer submits, and while a bank transfer or the customer's confirmation on the phone has not come;
 * `processing` while the processor decides, or an operator about another amount; then `completed`, `failed` or `expired`.
 * A payment that failed or expired still becomes `completed` if its processor confirms the money late.
 */
export type PaymentStatus = Schemas['PaymentStatus'];
/**
 * What to change; at least one field.
 */
export type PaymentUpdate = Schemas['PaymentUpdate'];
/**
 * A person's name, in one line.
 */
export type PersonName = Schemas['PersonName'];
export type Preferences = Schemas['Preferences'];
export type PreferencesUpdate = Schemas['PreferencesUpdate'];
export type Product = Schemas['Product'];
/**
 * One page of all products, also those that are not active.
 */
export type ProductList = Schemas['ProductList'];
export type ProductRequest = Schemas['ProductRequest'];
/**
 * What to change; at least one field.
 */
export type ProductUpdate = Schemas['ProductUpdate'];
export type ReceiptPreview = Schemas['ReceiptPreview'];
/**
 * Money that the processor received for a payment.
 */
export type ReceivedMoney = Schemas['ReceivedMoney'];
export type Recipient = Schemas['Recipient'];
/**
 * The recipient of the money.
 */
export type RecipientRequest = Schemas['RecipientRequest'];
export type RecoveryCodes = Schemas['RecoveryCodes'];
/**
 * Identifies a payment, a transfer or a refund; unique for its kind within a merchant and mode.
 */
export type Reference = Schemas['Reference'];
export type Refund = Schemas['Refund'];
export type RefundEventData = Schemas['RefundEventData'];
/**
 * A failed refund, and the state of the event's deliveries.
 */
export type RefundFailedEventRecord = Schemas['RefundFailedEventRecord'];
/**
 * Why the refund failed, for programs. In live mode it may also be another code of the payment processor.
 */
export type RefundFailureCode = Schemas['RefundFailureCode'];
/**
 * One page of refunds.
 */
export type RefundList = Schemas['RefundList'];
/**
 * Who made the refund.
 */
export type RefundOrigin = Schemas['RefundOrigin'];
export type RefundRequest = Schemas['RefundRequest'];
/** @deprecated It is now `RefundRequest`. */
export type CreateRefundRequest = RefundRequest;
/**
 * `pending` until the payment processor is asked, `processing` while it decides, then `completed` or `failed`. A
 * completed refund can still become `failed`, when the bank of the customer sends the money back.
 */
export type RefundStatus = Schemas['RefundStatus'];
/**
 * A completed refund, and the state of the event's deliveries.
 */
export type RefundSuccessEventRecord = Schemas['RefundSuccessEventRecord'];
/**
 * The webhook endpoint that was removed.
 */
export type RemovedWebhookEndpoint = Schemas['RemovedWebhookEndpoint'];
/**
 * How much was sent again.
 */
export type ReplayCount = Schemas['ReplayCount'];
export type ReplayRequest = Schemas['ReplayRequest'];
export type ReplayResult = Schemas['ReplayResult'];
export type RequestedPasswordReset = Schemas['RequestedPasswordReset'];
export type ResendResult = Schemas['ResendResult'];
export type ResetUser = Schemas['ResetUser'];
export type RevealRequest = Schemas['RevealRequest'];
export type RevealedAccountNumber = Schemas['RevealedAccountNumber'];
export type RevealedSecret = Schemas['RevealedSecret'];
export type Review = Schemas['Review'];
export type ReviewDecision = Schemas['ReviewDecision'];
export type ReviewList = Schemas['ReviewList'];
/**
 * Why the operator of the service has to decide about the payment; null if there is nothing to decide. With several
 * reasons it is the worst: a dispute, then a refund without funds, then another amount, then a late bank transfer, then a
 * second payment.
 */
export type ReviewReason = Schemas['ReviewReason'];
export type ReviewedPayment = Schemas['ReviewedPayment'];
export type RollRequest = Schemas['RollRequest'];
/**
 * The filters, the period, the order and the columns of a list, under a name.
 */
export type SavedView = Schemas['SavedView'];
/**
 * The filters, the period, the order and the columns of a list, under a name.
 */
export type SavedViewRequest = Schemas['SavedViewRequest'];
/**
 * One thing that a key may do. `x-required-scope` of an operation names the scope that it needs.
 */
export type Scope = Schemas['Scope'];
/**
 * What a key may do; null is everything.
 */
export type Scopes = Schemas['Scopes'];
export type SearchGroup = Schemas['SearchGroup'];
/**
 * What does not belong to the kind is null.
 */
export type SearchHit = Schemas['SearchHit'];
/**
 * What was found.
 */
export type SearchKind = Schemas['SearchKind'];
export type SearchResults = Schemas['SearchResults'];
export type SecretRotationCompletion = Schemas['SecretRotationCompletion'];
export type SecretRotationRequest = Schemas['SecretRotationRequest'];
/**
 * Who is signed in.
 */
export type Session = Schemas['Session'];
/**
 * One session of a user.
 */
export type SessionRecord = Schemas['SessionRecord'];
export type SessionRecordList = Schemas['SessionRecordList'];
/**
 * The user who is signed in.
 */
export type SessionUser = Schemas['SessionUser'];
export type Settings = Schemas['Settings'];
export type SettingsUpdate = Schemas['SettingsUpdate'];
export type SignInRequest = Schemas['SignInRequest'];
export type Statistics = Schemas['Statistics'];
/**
 * What happened in one hour or day.
 */
export type StatisticsInterval = Schemas['StatisticsInterval'];
/**
 * All products that the storefront shows.
 */
export type StorefrontProductList = Schemas['StorefrontProductList'];
/**
 * An event name, or `*` for every event.
 */
export type SubscribedEvent = Schemas['SubscribedEvent'];
/**
 * Who has access to a merchant, and who was invited.
 */
export type Team = Schemas['Team'];
/**
 * The attempt to deliver the test event, and the receiver's answer.
 */
export type TestEventDelivery = Schemas['TestEventDelivery'];
/**
 * A test, and the state of the event's deliveries.
 */
export type TestEventRecord = Schemas['TestEventRecord'];
export type TestEventResult = Schemas['TestEventResult'];
/**
 * Whether pages are light or dark; `system` follows the setting of the user's device.
 */
export type Theme = Schemas['Theme'];
export type TimeAdvance = Schemas['TimeAdvance'];
export type TimeAdvanceRequest = Schemas['TimeAdvanceRequest'];
/**
 * A time zone of the IANA database, such as `Africa/Lagos`; null for the time zone of the user's device.
 */
export type TimeZone = Schemas['TimeZone'];
/**
 * A moment in RFC 3339; responses use UTC with milliseconds.
 */
export type Timestamp = Schemas['Timestamp'];
export type TimestampOrNull = Schemas['TimestampOrNull'];
export type TopUpRequest = Schemas['TopUpRequest'];
/**
 * How many records match, on all pages together. With `after` it counts only records that follow, and stops
 * at `limit` + 1: while it is greater than the number of records on the page, more follow.
 */
export type Total = Schemas['Total'];
export type Transfer = Schemas['Transfer'];
export type TransferEventData = Schemas['TransferEventData'];
/**
 * A transfer that failed or was reversed, and the state of the event's deliveries.
 */
export type TransferFailedEventRecord = Schemas['TransferFailedEventRecord'];
/**
 * Why the transfer failed or came back, for programs. The operator of the server may also give another code.
 */
export type TransferFailureCode = Schemas['TransferFailureCode'];
export type TransferFailureRequest = Schemas['TransferFailureRequest'];
/**
 * One page of transfers.
 */
export type TransferList = Schemas['TransferList'];
export type TransferRequest = Schemas['TransferRequest'];
/**
 * `pending`, then `processing` while the bank decides, then `completed` or `failed`; a completed transfer can be
 * `reversed`.
 */
export type TransferStatus = Schemas['TransferStatus'];
/**
 * A completed transfer, and the state of the event's deliveries.
 */
export type TransferSuccessEventRecord = Schemas['TransferSuccessEventRecord'];
/**
 * Sign-in by a code of an authenticator application, after the password.
 */
export type TwoStep = Schemas['TwoStep'];
export type TwoStepBegin = Schemas['TwoStepBegin'];
export type TwoStepConfirmation = Schemas['TwoStepConfirmation'];
export type TwoStepProof = Schemas['TwoStepProof'];
export type TwoStepSecret = Schemas['TwoStepSecret'];
/**
 * The user's e-mail address, as the operator wrote it.
 */
export type UserEmail = Schemas['UserEmail'];
/**
 * The name by which colleagues know the user: one line, not blank, without control characters and without characters that turn the direction of text. Null when the user has given none.
 */
export type UserName = Schemas['UserName'];
/**
 * What a user may do. `x-allowed-roles` of each operation lists the roles that may call it.
 */
export type UserRole = Schemas['UserRole'];
/**
 * `required`: the authenticator asks for a fingerprint, a face or a PIN.
 */
export type UserVerification = Schemas['UserVerification'];
/**
 * The money that moved, one record for each currency, counted at the moment at which it moved.
 */
export type Volumes = Schemas['Volumes'];
/**
 * A merchant's money of one kind, in one currency and mode.
 */
export type Wallet = Schemas['Wallet'];
/**
 * One movement of a wallet.
 */
export type WalletEntry = Schemas['WalletEntry'];
/**
 * One page of the movements of a wallet.
 */
export type WalletEntryList = Schemas['WalletEntryList'];
/**
 * What caused the movement.
 */
export type WalletEntryType = Schemas['WalletEntryType'];
/**
 * `collection` is the Collection wallet, which receives what customers pay; `transfer` is the Transfer wallet,
 * from which transfers are made.
 */
export type WalletKind = Schemas['WalletKind'];
/**
 * All wallets.
 */
export type WalletList = Schemas['WalletList'];
export type WebhookEndpoint = Schemas['WebhookEndpoint'];
/**
 * All webhook endpoints.
 */
export type WebhookEndpointList = Schemas['WebhookEndpointList'];
export type WebhookEndpointRemoval = Schemas['WebhookEndpointRemoval'];
export type WebhookEndpointRequest = Schemas['WebhookEndpointRequest'];
/**
 * What to change; at least one field.
 */
export type WebhookEndpointUpdate = Schemas['WebhookEndpointUpdate'];
