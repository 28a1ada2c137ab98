/**
 * Lists the inputs with which a caller chooses the answer of the mock. A request example and an answer example of the
 * same name belong together: the mock gives that answer to a request with the values in which this request example
 * differs from the first one. For parameters, the contract lists the values under `x-mock-examples`.
 */
import type { ModelOperation } from '@tillhook/openapi';
import { markdownTable } from './markdown-table.ts';
import type { PortalSource } from './portal-source.ts';

/** The inputs in bodies, one row for each. */
export function magicInputsTable({ model }: Pick<PortalSource, 'model'>): string {
  const rows = model.operations.flatMap((operation) => {
    const answers = answersOf(operation);
    const [usual, ...others] = operation.body?.examples.values() ?? [];
    return others
      .filter(({ name }) => /^[45]/.test(answers.get(name) ?? ''))
      .map(({ name, value }) => [
        `\`${operation.id}\``,
        leavesIn(value, usual?.value).join(' and '),
        answers.get(name) ?? '',
      ]);
  });
  return markdownTable(['Operation', 'Body with', 'Answer'], rows);
}

/** The values of parameters, one row for each value. Different operations may give different answers to it. */
export function magicParametersTable({ model }: Pick<PortalSource, 'model'>): string {
  const rows = [...model.mockExamples].flatMap(([parameter, values]) => {
    const takers = model.operations.filter(({ parameters }) => parameters.some(({ name }) => name === parameter));
    return [...Map.groupBy(values, ([, value]) => value)].map(([value, named]) => {
      const names = named.map(([name]) => name);
      const answers = new Set(takers.flatMap((operation) => answersNamed(operation, names)));
      return [`\`${parameter}\``, `\`${value}\``, [...answers].join('; ')];
    });
  });
  return markdownTable(['Parameter', 'Value', 'Answer, where the operation has it'], rows);
}

function answersNamed(operation: ModelOperation, names: readonly string[]): string[] {
  const answers = answersOf(operation);
  return names.flatMap((name) => answers.get(name) ?? []);
}

/** The status and the summary of each answer example, by the name of the example. */
function answersOf({ answers }: ModelOperation): Map<string, string> {
  const entries = [...answers].flatMap(([status, { content }]) =>
    [...(content?.examples.values() ?? [])].map(({ name, summary }) => [name, `${status}: ${summary}`] as const),
  );
  return new Map(entries.filter(([name]) => name !== 'basic'));
}

/** Each value that differs from the first request example, with its path. The mock compares only these values. */
function leavesIn(value: unknown, usual: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) {
    return value === usual ? [] : [`\`${path}\` = \`${JSON.stringify(value)}\``];
  }
  return Object.entries(value).flatMap(([key, child]) =>
    leavesIn(child, Object(usual)[key], path === '' ? key : `${path}.${key}`),
  );
}
