import { commandLine } from '@tillhook/developer/terminal/command-line';
import type { Model } from '@tillhook/openapi';
import { magicInputsOf } from '../examples/magic-inputs.ts';

export function greeting(model: Model, url: string): string {
  const { operations } = model;
  return `The mock of the API: ${url}

${operations.map(({ id, method, path }) => `  ${method.toUpperCase().padEnd(7)}${path.padEnd(58)}${id}`).join('\n')}

Any key of either mode works, such as sk_test_mock, and any session. Open the checkoutUrl of the first to pay:
  curl ${url}/api/v1/payments/checkout -H 'x-api-key: sk_test_mock' \\
    -H 'Content-Type: application/json' -d '{"email":"ada@example.com","amount":500000}'
  curl '${url}/api/v1/transfers?limit=5&offset=10' -H 'Authorization: Bearer sk_test_mock'
  curl ${url}/api/v1/dashboard/session -H 'Cookie: tillhook_session=mock' -H 'X-Service-Mode: test'

Ask for other answers by a header, or by the query, such as ?__code=404:
  Prefer: code=404                       Prefer: code=401, example=wrongHeader
  Prefer: example=empty                  Prefer: dynamic=true
  Prefer: wait=800                       milliseconds, with any of them

Magic inputs select an answer. Those of createCheckout are:
${magicLines(model, 'createCheckout').join('\n')}
List all of them: curl ${url}/__mock

What you create is remembered until the mock stops, and registered endpoints hear of it. Send a signed webhook by hand,
with retries; --fault bad-signature, old, twice or unknown-event tries whether your receiver does what it must:
  ${commandLine('event')} checkout.success --to http://localhost:4000/webhooks
`;
}

function magicLines(model: Model, id: string): string[] {
  const operation = model.operationById.get(id);
  return (operation ? magicInputsOf(operation, model) : []).map(({ name, status, conditions }) => {
    const sent = conditions.map(({ keys, value }) => `${keys.join('.')}=${value}`).join(', ');
    return `  ${sent.padEnd(39)}${status} ${name}`;
  });
}
