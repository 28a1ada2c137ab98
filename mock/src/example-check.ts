import type { ContractDocument } from '@tillhook/openapi';
import { UserError } from './command.ts';
import { type Content, type MockOperation, webhookBodyOf } from './contract-model.ts';
import type { Schemas } from './schemas.ts';

/** Throws when an example of the contract does not fit its schema: the mock would tell lies. Names all that do not. */
export function checkExamples(
  document: ContractDocument,
  operations: readonly MockOperation[],
  schemas: Schemas,
): void {
  const seen = new Set<unknown>();
  const webhooks = Object.keys(document.webhooks).map((event): Place => [event, webhookBodyOf(document, event)]);
  const faults = [...operations.flatMap(contentsOf), ...webhooks].flatMap(([place, { pointer, examples }]) =>
    [...examples].flatMap(([name, value]) => {
      // One that stands at many places is looked at once.
      if (pointer === undefined || value === undefined || seen.has(value)) return [];
      if (typeof value === 'object') seen.add(value);
      const validate = schemas.ofJson(pointer);
      if (validate(value)) return [];
      const problems = (validate.errors ?? []).map((error) => `${error.instancePath || 'it'} ${error.message}`);
      return [`${place}, example ${name}: ${problems.join('; ')}`];
    }),
  );
  if (faults.length > 0) throw new UserError(`openapi.yaml has examples that do not fit.\n  ${faults.join('\n  ')}`);
}

/** What it is and where it stands, for people, and what stands there. */
type Place = [name: string, content: Pick<Content, 'pointer' | 'examples'>];

function contentsOf({ id, body, parameters, responses }: MockOperation): Place[] {
  return [
    ...(body ? [[`${id} request`, body] as Place] : []),
    ...parameters.map((parameter): Place => [`${id} ${parameter.name}`, parameter]),
    ...[...responses].map(([status, content]): Place => [`${id} ${status}`, content]),
  ];
}
