import { type Model, namedSchema } from '@tillhook/openapi';
import { type ErrorCode, errorTable } from '../kit/errors.ts';
import { markdownTable } from './markdown-table.ts';
import type { Page } from './page.ts';
import { fieldsTable } from './schema-fields.ts';

/** The page that every error's `docUrl` leads to. Each code has an anchor, and a sentence about what to do next. */
export function errorsPage(model: Model): Page {
  const codes = namedSchema(model, 'ErrorCode').enum as readonly ErrorCode[];
  const [example] = model.answers.get('Unauthorized')?.content?.examples.values() ?? [];
  return {
    path: '/errors',
    title: 'Errors',
    summary: 'The one body of every failure, and each code with what to do about it.',
    markdown: `# Errors

Every failure has one body. \`error.code\` is for programs, \`message\` for people, \`error.details\` lists what is wrong with
fields and parameters, up to 100 problems, \`error.docUrl\` leads to the code on this page, and \`requestId\` names the request for
support.

\`\`\`json
${JSON.stringify(example?.value, null, 2)}
\`\`\`

${fieldsTable(namedSchema(model, 'Error'))}
## Statuses and types

${statusTable(codes)}
${codes.map(entry).join('\n')}`,
  };
}

/** One row for each status and type, with all the codes that have them. */
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

/** What happened, and what to do next. A code that the contract gains does not compile until it is explained. */
const remedies: Record<ErrorCode, string> = {
  invalid_json: 'The body is empty or not JSON. Send one JSON document in UTF-8.',
  invalid_parameter:
    'A field or parameter has a wrong type or value. `error.param` names it and `error.details` says why.',
  missing_parameter: 'A required field is missing. `error.param` names it.',
  unknown_parameter:
    'A field or parameter does not exist. Nothing is ignored silently: remove it, or mend its spelling.',
  invalid_events:
    'The subscription names an event that does not exist, or none. Leave `events` out to hear of everything.',
  invalid_url:
    'The address is not absolute, not `http(s)://`, holds a user name, password or fragment, or leads into a network that deliveries may not reach.',
  unsupported_currency: 'The currency is not one of ISO 4217. Use its three capital letters.',
  missing_api_key: 'No API key came with the request. The header `WWW-Authenticate` says how to send it.',
  invalid_api_key: 'The key is nobody’s, or was revoked. Check that it is whole and of the right mode.',
  expired_api_key: 'The key was rolled and its overlap is over. Use the key that replaced it.',
  wrong_auth_header:
    'The key came in the wrong header, or where no key is taken. Creating a checkout takes `x-api-key`, the dashboard a session, everything else `Authorization: Bearer`.',
  invalid_session: 'Nobody is signed in with this cookie: the session is over, or there was none. Sign in.',
  invalid_credentials: 'There is no user with this email and password. Try again, or ask for a new password.',
  two_step_required:
    'The user signs in by two steps. Send the same request with `code`: what the authenticator application shows, or a recovery code.',
  invalid_code: 'The code is wrong, too old, or was used already: each works once. Wait for the next one.',
  two_step_setup_required:
    'The merchant requires two-step sign-in. Turn it on with `beginTwoStep` and `confirmTwoStep`; it cannot be removed.',
  transfer_status_conflict:
    'The transfer has a status from which it cannot go on so, or is of test mode. Read it again before you say what became of it.',
  two_step_not_begun:
    'There is no secret that waits to be confirmed, or its ten minutes are over. Call `beginTwoStep` again.',
  two_step_is_off: 'The user does not sign in by two steps, so there is nothing to renew or remove.',
  role_not_allowed:
    'The user who is signed in has a role that may not do this; `x-allowed-roles` of the operation names those that may.',
  unknown_merchant:
    'An operator named a merchant that does not exist. Send the id of one that does, or no `X-Service-Merchant`.',
  insufficient_scope: 'The key may not do this; the message names the scope that it lacks. Use a key that has it.',
  test_mode_only: 'Test helpers work in test mode alone. Use a test key, or switch the dashboard to test mode.',
  merchant_suspended: 'The operator of this service suspended the merchant. Ask them.',
  cross_site_request:
    'A call with a session came from another site, or without the header `X-Service-Mode`. Send `test` or `live` in it.',
  resource_not_found:
    'There is no such resource for this merchant in this mode. Check the id, and the mode of the key.',
  route_not_found: 'The address is not one of this API.',
  method_not_allowed: 'The address exists and does not take this method. The header `Allow` lists those that it takes.',
  payload_too_large: 'The body is larger than 100 KiB.',
  unsupported_media_type: 'The body is not `application/json` in UTF-8.',
  duplicate_reference:
    'Another payment of this merchant and mode has this reference. Use another, or look the first one up.',
  idempotency_in_progress:
    'A request with this `Idempotency-Key` is still on its way. Wait as long as `Retry-After` says, then send it again.',
  payment_already_final: 'The payment is completed, failed, expired or on its way to one of them. Get it to see which.',
  endpoint_limit_reached: 'The merchant has as many webhook endpoints in this mode as are allowed. Remove one first.',
  product_limit_reached: 'The merchant has as many active products in this mode as are allowed. Archive one first.',
  api_key_limit_reached: 'The merchant has as many API keys in this mode as are allowed. Revoke one first.',
  api_key_ended: 'The key was revoked or has expired, so there is nothing to roll. Create a key.',
  idempotency_key_reused:
    'This `Idempotency-Key` came with another request before. Make a new key for each new request, and keep it for retries.',
  insufficient_funds: 'The wallet holds less than this takes. Nothing was moved. Top the Transfer wallet up first.',
  invalid_recipient: 'No transfer can reach this recipient. Check the bank code and the account number.',
  rate_limited:
    'Too many requests in a short time. Wait as long as `Retry-After` says; `RateLimit` tells beforehand how many are left.',
  internal_error:
    'Something went wrong on our side, and the request may or may not have been carried out. Send it again with the same `Idempotency-Key`; tell support the `requestId`.',
  service_unavailable:
    'The service cannot be reached in full for the moment, and the request may or may not have been carried out. Send it again with the same `Idempotency-Key`.',
  processor_error:
    'The payment processor gave no answer, so the checkout was not withdrawn. Try again; a repeated call is safe.',
  processor_not_configured: 'Live payments and transfers need a processor, and this server has none. Use a test key.',
};
