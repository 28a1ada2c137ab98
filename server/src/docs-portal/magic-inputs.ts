/**
 * Inputs of the mock that choose its answer. What sets a named request apart from the first one gets the answer's example of
 * that name; for parameters the contract names the values under `x-mock-examples`.
 */
import type { ContractDocument, ContractOperation } from '@tillhook/openapi';
import { parametersOf, requestExamples } from './call-sample.ts';
import { markdownTable } from './markdown-table.ts';
import type { PortalSource } from './portal-source.ts';
import { examplesOf, jsonContent } from './resolve.ts';

/** Fields of a body, one row for each input. */
export function magicInputsTable({ document, operations }: PortalSource): string {
  const rows = operations.flatMap((operation) => {
    const answers = answersOf(document, operation);
    const [usual, ...others] = requestExamples(document, operation);
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
export function magicParametersTable({ document, operations }: PortalSource): string {
  const named = Object.entries<Record<string, string>>(document['x-mock-examples'] ?? {});
  const rows = named.flatMap(([parameter, values]) =>
    Object.entries(Object.groupBy(Object.keys(values), (name) => values[name] ?? '')).map(([value, names = []]) => {
      const takers = operations.filter((operation) => takes(document, operation, parameter));
      const answers = new Set(takers.flatMap((operation) => answersNamed(document, operation, names)));
      return [`\`${parameter}\``, `\`${value}\``, [...answers].join('; ')];
    }),
  );
  return markdownTable(['Parameter', 'Value', 'Answer, where the operation has it'], rows);
}

function takes(document: ContractDocument, operation: ContractOperation, parameter: string): boolean {
  return parametersOf(document, operation).some(({ name }) => name === parameter);
}

function answersNamed(document: ContractDocument, operation: ContractOperation, names: string[]): string[] {
  const answers = answersOf(document, operation);
  return names.flatMap((name) => answers.get(name) ?? []);
}

/** By the name of the example, the status and what it is. */
function answersOf(document: ContractDocument, { definition }: ContractOperation): Map<string, string> {
  const entries = Object.entries<ContractDocument>(definition.responses).flatMap(([status, response]) =>
    examplesOf(document, jsonContent(document, response)).map(
      ({ name, summary }) => [name, `${status}: ${summary}`] as const,
    ),
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
