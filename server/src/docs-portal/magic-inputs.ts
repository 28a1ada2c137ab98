/**
 * Inputs of the mock that choose its answer. What sets a named request apart from the first one gets the answer's example of
 * that name; for parameters the contract names the values under `x-mock-examples`.
 */
import type { ModelOperation } from '@tillhook/openapi';
import { markdownTable } from './markdown-table.ts';
import type { PortalSource } from './portal-source.ts';

/** Fields of a body, one row for each input. */
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

/** Values of parameters, one row for each, whichever operations know it. */
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

/** By the name of the example, the status and what it is. */
function answersOf({ answers }: ModelOperation): Map<string, string> {
  const entries = [...answers].flatMap(([status, { content }]) =>
    [...(content?.examples.values() ?? [])].map(({ name, summary }) => [name, `${status}: ${summary}`] as const),
  );
  return new Map(entries.filter(([name]) => name !== 'basic'));
}

/** Each leaf that is not as in the usual request, by its path: the mock compares these and nothing else. */
function leavesIn(value: unknown, usual: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) {
    return value === usual ? [] : [`\`${path}\` = \`${JSON.stringify(value)}\``];
  }
  return Object.entries(value).flatMap(([key, child]) =>
    leavesIn(child, Object(usual)[key], path === '' ? key : `${path}.${key}`),
  );
}
