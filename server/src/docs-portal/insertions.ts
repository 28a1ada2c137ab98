/**
 * What the guides leave to the contract and to this server: `{{name}}` or `{{name:argument}}` in their Markdown stands for
 * Markdown that is made here, so that no guide states a fact of its own.
 * See docs/decisions/docs.md, "The documentation is Markdown with insertions".
 */
import { readFileSync } from 'node:fs';
import type { ContractOperation } from '@tillhook/openapi';
import type { TestCard } from '../processors/port.ts';
import { credentialHeaders, curlSample, isOfSessions, isPaged, parametersOf, sdkSample } from './call-sample.ts';
import { magicInputsTable, magicParametersTable } from './magic-inputs.ts';
import { markdownTable } from './markdown-table.ts';
import type { PortalSource } from './portal-source.ts';
import { typeText } from './schema-fields.ts';
import { deliveryInsertions } from './webhook-insertions.ts';

export type Insertion = (source: PortalSource, argument: string) => string;

export function insert(markdown: string, source: PortalSource): string {
  return markdown.replace(/\{\{(\w+)(?::([^}]+))?\}\}/g, (_whole, name: string, argument = '') => {
    const insertion = insertions[name] ?? deliveryInsertions[name];
    if (!insertion) throw new Error(`A guide asks for {{${name}}}, which nobody makes.`);
    return insertion(source, argument).trim();
  });
}

const sdkPackage = import.meta.resolve('@tillhook/sdk/package.json');

const insertions: Record<string, Insertion> = {
  publicUrl: ({ publicUrl }) => publicUrl,
  mockUrl: ({ document }) => document.servers.at(-1).url,
  /** A section of the contract's own description; `intro` is what stands before the first. */
  contract: ({ document }, title) => {
    const sections: string[] = document.info.description.split(/^## /m);
    const text = title === 'intro' ? sections[0] : sections.find((section) => section.startsWith(`${title}\n`));
    if (text === undefined) throw new Error(`The contract has no section "${title}".`);
    return text.replace(`${title}\n`, '');
  },
  path: (source, id) => operationCalled(source, id).path,
  curl: (source, id) => fence('sh', curlSample(source.document, operationCalled(source, id), source.publicUrl)),
  curlWith: (source, id) => {
    const sample = curlSample(source.document, operationCalled(source, id), source.publicUrl);
    return fence('sh', sample.replace(' \\\n  -d', ' \\\n  -H "Idempotency-Key: $(uuidgen)" \\\n  -d'));
  },
  sdkCode: ({ document, ...source }, id) => sdkSample(document, operationCalled(source, id)) ?? '',
  /** A receiver that the SDK ships, as it is: what is shown is what its tests run. */
  recipe: (_source, name) => fence('ts', readFileSync(new URL(`./recipes/${name}.ts`, sdkPackage), 'utf8').trim()),
  credentials: ({ document, operations }) => {
    const groups = grouped(operations, (operation) => credentialHeaders(document, operation).join(' and ') || 'none');
    return markdownTable(
      ['Header', 'Operations'],
      groups.map(([headers, members]) => [headers === 'none' ? 'none' : `\`${headers}\``, names(members)]),
    );
  },
  scopes: ({ document, operations }) => {
    const scopes: string[] = document.components.schemas.Scope.enum;
    const members = (scope: string) => operations.filter(({ definition }) => definition['x-required-scope'] === scope);
    return markdownTable(
      ['Scope', 'Allows'],
      scopes.map((scope) => [`\`${scope}\``, names(members(scope))]),
    );
  },
  limits: ({ ratePolicies }) => {
    if (!ratePolicies) return 'This server has no limits.';
    const told = { 'Test mode': 'test', 'Live mode': 'live', 'Test events to one endpoint': 'test_event' } as const;
    const rows = Object.entries(told).map(([title, name]) => {
      const { calls, seconds } = ratePolicies[name];
      return [title, `${calls.toLocaleString('en')} calls`, `${seconds} seconds`];
    });
    return markdownTable(['Whose', 'At most', 'In'], rows);
  },
  limitHeaders: ({ document }) => {
    const shown = { RateLimit: 'RateLimit', 'RateLimit-Policy': 'RateLimitPolicy', 'Retry-After': 'RetryAfter' };
    const rows = Object.entries(shown).map(([name, component]) => {
      const { description, example } = document.components.headers[component];
      return [`\`${name}\``, description, `\`${example}\``];
    });
    return markdownTable(['Header', 'Meaning', 'Example'], rows);
  },
  pageParameters: ({ document }) => {
    const rows = ['Limit', 'Offset', 'From', 'To', 'Order'].map((component) => {
      const { name, schema, description } = document.components.parameters[component];
      return [`\`${name}\``, typeText(document, schema), description];
    });
    return markdownTable(['Parameter', 'Type', 'Meaning'], rows);
  },
  pagedOperations: ({ document, operations }) => listed(operations.filter((operation) => isPaged(document, operation))),
  idempotentOperations: ({ document, operations }) =>
    listed(
      operations.filter((operation) =>
        parametersOf(document, operation).some(({ name }) => name === 'Idempotency-Key'),
      ),
    ),
  testHelpers: ({ operations }) => listed(operations.filter(({ definition }) => definition.tags[0] === 'Test helpers')),
  testCard: ({ testCards }) => groupedDigits(testCards[0]?.number ?? ''),
  testCards: ({ testCards }) => {
    const rows = testCards.map(({ number, brand, decline, asksForStep }) => [
      `\`${groupedDigits(number)}\``,
      brand,
      outcomeOf({ decline, asksForStep }),
      decline?.code ?? '',
    ]);
    return (
      markdownTable(['Card', 'Brand', 'What happens', '`failureCode`'], rows) || 'This server takes no test cards.'
    );
  },
  sdkMethods: ({ document, operations }) =>
    methodsTable(operations.filter((operation) => !isOfSessions(document, operation))),
  sessionMethods: ({ document, operations }) =>
    methodsTable(operations.filter((operation) => isOfSessions(document, operation))),
  roles: ({ operations }) =>
    markdownTable(
      ['Roles', 'Operations'],
      grouped(
        operations.filter(({ definition }) => definition['x-allowed-roles']),
        ({ definition }) => definition['x-allowed-roles'].join(', '),
      ).map(([names, members]) => [names, members.map(({ id }) => `\`${id}\``).join(', ')]),
    ),
  magicInputs: magicInputsTable,
  magicParameters: magicParametersTable,
  statuses: ({ operations }) =>
    markdownTable(
      ['Operation', 'Statuses'],
      operations.map(({ id, definition }) => [`\`${id}\``, Object.keys(definition.responses).join(', ')]),
    ),
};

function methodsTable(operations: readonly ContractOperation[]): string {
  return markdownTable(
    ['Method', 'Operation', 'What it does'],
    operations.flatMap(({ id, definition }) => {
      const method: string | undefined = definition['x-sdk-method'];
      return method ? [[`\`${method}()\``, `\`${id}\``, definition.summary]] : [];
    }),
  );
}

function operationCalled({ operations }: Pick<PortalSource, 'operations'>, id: string): ContractOperation {
  const operation = operations.find((known) => known.id === id);
  if (!operation) throw new Error(`A guide names the operation ${id}, which the contract does not have.`);
  return operation;
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): [string, Item[]][] {
  return Object.entries(Object.groupBy(items, keyOf)).map(([key, members = []]) => [key, members]);
}

function names(operations: ContractOperation[]): string {
  return operations.map(({ id }) => `\`${id}\``).join(', ');
}

function listed(operations: ContractOperation[]): string {
  return operations.map(({ id, definition }) => `- \`${id}\`: ${definition.summary}`).join('\n');
}

function outcomeOf({ decline, asksForStep }: Pick<TestCard, 'decline' | 'asksForStep'>): string {
  if (decline) return `Declined: ${decline.message}`;
  return asksForStep ? 'Asks for 3-D Secure first' : 'Succeeds';
}

function groupedDigits(number: string): string {
  return number.replace(/\d{4}(?=\d)/g, '$& ');
}

function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}
