import type { components, operations, webhooks } from './generated/contract.ts';
import type { KnownValues } from './model/known-values.ts';

export { atPublicUrl } from './generate/served-document.ts';
export type { components, operations, paths, webhooks } from './generated/contract.ts';
export { closeSchemas } from './model/close-schemas.ts';
export { deprecationHeaders, withDeprecationHeaders } from './model/deprecation.ts';
export type { KnownValues } from './model/known-values.ts';
export type {
  Model,
  ModelAnswer,
  ModelBody,
  ModelContent,
  ModelExample,
  ModelHeader,
  ModelOperation,
  ModelParameter,
  ModelWebhook,
  SchemeName,
} from './model/model.ts';
export { answerHeaderNames, namedSchema } from './model/model.ts';
export { ContractError } from './model/place.ts';
export { type Contract, readContract, readContractFrom, unmarked } from './model/read-contract.ts';
export { readModel } from './model/read-model.ts';
export { type Schema, type SchemaType, schemaAt, schemasIn } from './model/schema.ts';
export { type ChangelogVersion, type ContractChange, readChangelog } from './release/changelog.ts';

/** An operationId, such as `createCheckout`. The contract, the server, the SDK and the tests use the same name. */
export type OperationId = keyof operations;

type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never;
type Responses<Id extends OperationId> = operations[Id]['responses'];
type Success = 200 | 201 | 202;

export interface OperationInput<Id extends OperationId> {
  path: operations[Id]['parameters'] extends { path: infer Path } ? Path : Record<never, never>;
  query: operations[Id]['parameters'] extends { query?: infer Query } ? NonNullable<Query> : Record<never, never>;
  /** The type includes undefined when the operation takes no body or the body is optional. */
  body: Listed<Json<NonNullable<operations[Id]['requestBody']>>> | Extract<operations[Id]['requestBody'], undefined>;
}

/** The service turns a text into a list before an operation reads the field, so the field's type is only a list. */
type Listed<Body> = { [Key in keyof Body]: ListIn<Body[Key]> };
type ListIn<Value> = Extract<Value, readonly unknown[]> extends never ? Value : Exclude<Value, string>;

/** The body of the successful response, with only the values that the service itself sends. */
export type OperationOutput<Id extends OperationId> = KnownValues<Json<Responses<Id>[keyof Responses<Id> & Success]>>;

/** In the service, an extensible enum has only the values that the contract lists. */
type Schemas = KnownValues<components['schemas']>;
export type Account = Schemas['Account'];
export type Scope = Schemas['Scope'];
export type Session = Schemas['Session'];
export type MerchantRecord = Schemas['MerchantRecord'];
export type Review = Schemas['Review'];
export type SessionRecord = Schemas['SessionRecord'];
export type Preferences = Schemas['Preferences'];
export type DisplayPreferences = Schemas['DisplayPreferences'];
export type Passkey = Schemas['Passkey'];
export type PasskeyRegistration = Schemas['PasskeyRegistration'];
export type TwoStep = Schemas['TwoStep'];
export type ApiKey = Schemas['ApiKey'];
export type Member = Schemas['Member'];
export type Invitation = Schemas['Invitation'];
export type InvitationWithLink = Schemas['InvitationWithLink'];
export type OfferedInvitation = Schemas['OfferedInvitation'];
export type CreatedApiKey = Schemas['CreatedApiKey'];
export type RevealedSecret = Schemas['RevealedSecret'];
export type EndpointHealth = Schemas['EndpointHealth'];
export type EndpointHealthList = Schemas['EndpointHealthList'];
export type SearchResults = Schemas['SearchResults'];
export type SearchGroup = Schemas['SearchGroup'];
export type SearchHit = Schemas['SearchHit'];
export type PaymentAttempt = Schemas['PaymentAttempt'];
export type Overview = Schemas['Overview'];
export type Statistics = Schemas['Statistics'];
export type Settings = Schemas['Settings'];
export type AuditEntry = Schemas['AuditEntry'];
export type CheckoutRequest = Schemas['CheckoutRequest'];
export type BankTransferReceipt = Schemas['BankTransferReceipt'];
export type CheckoutSession = Schemas['CheckoutSession'];
export type Payment = Schemas['Payment'];
export type PaymentStatus = Schemas['PaymentStatus'];
export type WebhookEndpoint = Schemas['WebhookEndpoint'];
export type WebhookEndpointRequest = Schemas['WebhookEndpointRequest'];
export type WebhookEndpointUpdate = Schemas['WebhookEndpointUpdate'];
export type SecretRotationRequest = Schemas['SecretRotationRequest'];
export type SecretRotationCompletion = Schemas['SecretRotationCompletion'];
export type TestEventResult = Schemas['TestEventResult'];
export type ReplayRequest = Schemas['ReplayRequest'];
export type ReplayResult = Schemas['ReplayResult'];
export type Delivery = Schemas['Delivery'];
export type DeliveryDetail = Schemas['DeliveryDetail'];
export type DeliveryAttempt = Schemas['DeliveryAttempt'];
export type DeliveryStatus = Schemas['DeliveryStatus'];
export type ResendResult = Schemas['ResendResult'];
export type Event = Schemas['EventRecord'];
export type Refund = Schemas['Refund'];
export type Customer = Schemas['Customer'];
export type Transfer = Schemas['Transfer'];
export type TransferRequest = Schemas['TransferRequest'];
export type TransferStatus = Schemas['TransferStatus'];
export type Wallet = Schemas['Wallet'];
export type WalletKind = Schemas['WalletKind'];
export type WalletEntry = Schemas['WalletEntry'];
export type TopUpRequest = Schemas['TopUpRequest'];
export type FundingRequest = Schemas['FundingRequest'];
export type PaymentLink = Schemas['PaymentLink'];
export type PaymentLinkRequest = Schemas['PaymentLinkRequest'];
export type PaymentLinkUpdate = Schemas['PaymentLinkUpdate'];
export type Product = Schemas['Product'];
export type ProductRequest = Schemas['ProductRequest'];
export type ProductUpdate = Schemas['ProductUpdate'];
export type Mode = Schemas['Mode'];
export type ErrorBody = Schemas['ErrorResponse'];
export type ErrorCode = Schemas['ErrorCode'];
export type ErrorType = Schemas['ErrorType'];

export type EventName = keyof webhooks;

export type WebhookEvents = { [Name in EventName]: Json<NonNullable<webhooks[Name]['post']['requestBody']>> };

export type WebhookEvent = WebhookEvents[EventName];
