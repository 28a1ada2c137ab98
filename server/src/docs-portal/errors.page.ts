import { type Model, namedSchema } from '@tillhook/openapi';
import { type ErrorCode, errorTable } from '../kit/errors.ts';
import { markdownTable } from './markdown-table.ts';
import type { Page } from './page.ts';
import { fieldsTable } from './schema-fields.ts';

/**
 * The page to which the `docUrl` of every error leads. Each code has an anchor, and sentences about what to do next.
 */
export function errorsPage(model: Model): Page {
  const codes = namedSchema(model, 'ErrorCode').enum as readonly ErrorCode[];
  const [example] = model.answers.get('Unauthorized')?.content?.examples.values() ?? [];
  return {
    path: '/errors',
    title: 'Errors',
    summary: 'The body that all errors have, and each error code with what to do about it.',
    markdown: `# Errors

All errors have the same body. \`error.code\` is for programs and \`message\` is for people. \`error.details\` lists up to 100
problems with fields and parameters. \`error.docUrl\` leads to the code on this page. Give the \`requestId\` to support, who can find
the request by it.

\`\`\`json
${JSON.stringify(example?.value, null, 2)}
\`\`\`

${fieldsTable(namedSchema(model, 'Error'))}
## Statuses and types

${statusTable(codes)}
${codes.map(entry).join('\n')}`,
  };
}

/** One row for each pair of status and type, with all codes that have both. */
function statusTable(codes: readonly ErrorCode[]): string {
  const kinds = new Map<string, ErrorCode[]>();
  for (const code of codes) {
    const kind = errorTable[code].join(' ');
    kinds.set(kind, [...(kinds.get(kind) ?? []), code]);
  }
  const rows = [...kinds]
    .sort()
    .map(([kind, members]) => [
      ...kind.split(' ').map((part, index) => (index === 0 ? part : `\`${part}\``)),
      members.map((code) => `\`${code}\``).join(' '),
    ]);
  return markdownTable(['Status', 'Type', 'Codes'], rows);
}

function entry(code: ErrorCode): string {
  const [status, type] = errorTable[code];
  return `## \`${code}\`

${status} · ${type}

${remedies[code]}
`;
}

/** What happened, and what to do next. The compiler reports a code of the contract that is missing here. */
const remedies: Record<ErrorCode, string> = {
  invalid_json: 'The body is empty or not JSON. Send one JSON document in UTF-8.',
  invalid_parameter:
    'A field or parameter has a wrong type or value. `error.param` names it and `error.details` says why.',
  missing_parameter: 'A required field is missing. `error.param` names it.',
  unknown_parameter:
    'A field or parameter does not exist. The service does not ignore unknown names: remove it, or correct its spelling.',
  invalid_events:
    'The list `events` names an event that does not exist, or is empty. Leave `events` out to subscribe to all events.',
  invalid_url:
    'The address is not absolute or does not begin with `http://` or `https://`, or it contains a user name, a password or a fragment, or it leads into a network to which the service does not deliver.',
  unsupported_currency: 'The currency is not a code of ISO 4217. Use the three capital letters of the code.',
  missing_api_key: 'The request has no API key. The header `WWW-Authenticate` says how to send it.',
  invalid_api_key: 'There is no such key, or it was revoked. Check that the key is complete and of the right mode.',
  expired_api_key: 'The key was rolled, and the time in which both keys work is over. Use the key that replaced it.',
  wrong_auth_header:
    'The key is in the wrong header, or the operation takes no key. Creating a checkout takes `x-api-key`, the operations of the dashboard take a session, and all others take `Authorization: Bearer`.',
  invalid_session: 'No user is signed in with this cookie: the session has ended, or there was none. Sign in.',
  invalid_credentials: 'There is no user with this email and password. Try again, or ask for a new password.',
  two_step_required:
    'The user has two-step sign-in. Send the same request with `code`: the code that the authenticator application shows, or a recovery code.',
  invalid_code: 'The code is wrong, too old, or was already used. Each code works once. Wait for the next one.',
  two_step_setup_required:
    'The merchant requires two-step sign-in. Turn it on with `beginTwoStep` and `confirmTwoStep`; it cannot be removed.',
  transfer_status_conflict:
    'The transfer has a status from which this change is not possible, or it is a transfer of test mode. Read it again before you decide.',
  two_step_not_begun: 'No secret waits to be confirmed, or its ten minutes are over. Call `beginTwoStep` again.',
  two_step_is_off: 'The user does not have two-step sign-in, so there is nothing to renew or remove.',
  role_not_allowed:
    'The role of the user may not call this operation. `x-allowed-roles` of the operation names the roles that may.',
  unknown_merchant:
    'An operator named a merchant that does not exist. Send the id of an existing merchant, or leave `X-Service-Merchant` out.',
  insufficient_scope: 'The key lacks the scope that the message names. Use a key that has it.',
  test_mode_only: 'Test helpers work only in test mode. Use a test key, or switch the dashboard to test mode.',
  merchant_suspended: 'The operator of this service has suspended the merchant. Ask the operator.',
  cross_site_request:
    'A call with a session came from another site, or without the header `X-Service-Mode`. Send `test` or `live` in it.',
  resource_not_found:
    'There is no such resource for this merchant in this mode. Check the id, and the mode of the key.',
  route_not_found: 'This API has no such address.',
  method_not_allowed:
    'The address exists but does not take this method. The header `Allow` lists the methods that it takes.',
  payload_too_large: 'The body is larger than 100 KiB.',
  unsupported_media_type: 'The body is not `application/json` in UTF-8.',
  duplicate_reference:
    'Another payment of this merchant and mode has this reference. Use another reference, or get the payment that has it.',
  idempotency_in_progress:
    'The service is still working on a request with this `Idempotency-Key`. Wait as long as `Retry-After` says, then send the request again.',
  payment_already_final:
    'The payment is completed, failed or expired, or is about to be. Get the payment to see its status.',
  endpoint_limit_reached: 'The merchant has as many webhook endpoints in this mode as are allowed. Remove one first.',
  product_limit_reached: 'The merchant has as many active products in this mode as are allowed. Archive one first.',
  api_key_limit_reached: 'The merchant has as many API keys in this mode as are allowed. Revoke one first.',
  api_key_ended: 'The key was revoked or has expired, so there is nothing to roll. Create a key.',
  idempotency_key_reused:
    'This `Idempotency-Key` was used for another request. Make a new key for each new request, and use it again only for retries of that request.',
  insufficient_funds:
    'The wallet holds less money than this takes. No money was moved. Top up the Transfer wallet first.',
  invalid_recipient: 'No transfer can reach this recipient. Check the bank code and the account number.',
  rate_limited:
    'There were too many requests in a short time. Wait as long as `Retry-After` says. The header `RateLimit` says beforehand how many are left.',
  internal_error:
    'Something went wrong on our side, and the request may or may not have been carried out. Send it again with the same `Idempotency-Key`; tell support the `requestId`.',
  service_unavailable:
    'A part of the service is not available at the moment, and the request may or may not have been carried out. Send it again with the same `Idempotency-Key`.',
  processor_error:
    'The payment processor gave no answer, so the checkout was not cancelled. Try again: a repeated call is safe.',
  processor_not_configured: 'Live payments and transfers need a processor, and this server has none. Use a test key.',
};
