/**
 * In the Markdown of a guide, `{{name}}` or `{{name:argument}}` stands for Markdown that this file makes from the
 * contract, so that no guide repeats a fact.
 * See docs/decisions/docs.md, "The documentation is Markdown with insertions".
 */
import { readFileSync } from 'node:fs';
import { type Model, type ModelOperation, namedSchema } from '@tillhook/openapi';
import { fenced, markdownTable } from '../../src/kit/tables.ts';
import { placeholderOf, serviceValueNames } from '../../src/pages/docs/service-values.ts';
import { readPublishedCompatibility, testedVersionsText } from '../figures/postgres-versions.ts';
import { callSamples, credentialChoices, curlSample, isOfSessions, isPaged, sdkSample } from './call-samples.ts';
import { firstHourMarkdown, programCommands, programsText } from './downloads.ts';
import { typeText } from './schema-fields.ts';
import type { Source } from './source.ts';

type Insertion = (source: Source, argument: string) => string;

export function insert(markdown: string, source: Source): string {
  return markdown.replace(/\{\{(\w+)(?::([^}]+))?\}\}/g, (_whole, name: string, argument = '') => {
    const insertion = insertions[name];
    if (!insertion) throw new Error(`A guide has the insertion {{${name}}}, which is not defined.`);
    return insertion(source, argument).trim();
  });
}

const sdkPackage = import.meta.resolve('@tillhook/sdk/package.json');

const insertions: Record<string, Insertion> = {
  ...Object.fromEntries(serviceValueNames.map((name) => [name, () => placeholderOf(name)])),
  publicUrl: ({ publicUrl }) => publicUrl,
  version: ({ model }) => model.version,
  mockUrl: ({ model }) => model.servers.at(-1)?.url ?? '',
  /** `intro` is the text of the contract's description before the first section. */
  contract: ({ model }, title) => {
    const sections = model.description.split(/^## /m);
    const text = title === 'intro' ? sections[0] : sections.find((section) => section.startsWith(`${title}\n`));
    if (text === undefined) throw new Error(`The contract has no section "${title}".`);
    return text.replace(`${title}\n`, '');
  },
  tag: ({ model }, name) => {
    const text = model.tags.get(name);
    if (text === undefined) throw new Error(`The contract has no tag "${name}".`);
    return text;
  },
  path: ({ model }, id) => getOperation(model, id).path,
  curl: ({ model, publicUrl }, id) => fenced('sh curl', curlSample(model, getOperation(model, id), publicUrl)),
  /** The code that calls an operation, in each language. */
  calls: ({ model, publicUrl }, id) => callSamples(model, getOperation(model, id), publicUrl),
  curlWith: ({ model, publicUrl }, id) => {
    const sample = curlSample(model, getOperation(model, id), publicUrl);
    return fenced('sh', sample.replace(' \\\n  -d', ' \\\n  -H "Idempotency-Key: $(uuidgen)" \\\n  -d'));
  },
  sdkCode: ({ model }, id) => sdkSample(getOperation(model, id)) ?? '',
  /** Inserts a receiver from the SDK unchanged, so that readers see the code that the SDK's tests run. */
  recipe: (_source, name) => {
    const file = new URL(`./recipes/${name.toLowerCase()}.ts`, sdkPackage);
    return fenced(`ts ${name}`, readFileSync(file, 'utf8').trim());
  },
  firstHour: ({ publicUrl }) => firstHourMarkdown(publicUrl),
  testedPostgres: () => testedVersionsText(readPublishedCompatibility()),
  programs: ({ publicUrl }, wanted) => programsText(wanted, publicUrl),
  programCommands: (_source, wanted) => programCommands(wanted === 'checkout' ? 'checkout' : 'receiver'),
  credentials: ({ model }) => {
    const choicesOf = (one: ModelOperation) =>
      credentialChoices(model, one).map((headers) => `\`${headers.join(' and ')}\``);
    const groups = grouped(model.operations, (one) => choicesOf(one).join(' or ') || 'none');
    return markdownTable(
      ['Header', 'Operations'],
      groups.map(([headers, members]) => [headers, operationIds(members)]),
    );
  },
  scopes: ({ model }) => {
    const scopes = Object.keys(namedSchema(model, 'Scope')['x-extensible-enum'] ?? {});
    return markdownTable(
      ['Scope', 'Allows'],
      scopes.map((scope) => [`\`${scope}\``, operationIds(model.operations.filter((one) => one.scope === scope))]),
    );
  },
  limitHeaders: ({ model }) => {
    const shown = { RateLimit: 'RateLimit', 'RateLimit-Policy': 'RateLimitPolicy', 'Retry-After': 'RetryAfter' };
    const rows = Object.entries(shown).map(([name, component]) => {
      const header = model.headers.get(component);
      return [`\`${name}\``, header?.description ?? '', `\`${header?.example}\``];
    });
    return markdownTable(['Header', 'Meaning', 'Example'], rows);
  },
  pageParameters: ({ model }) => {
    const parameters = ['Limit', 'Offset', 'From', 'To', 'Order'].flatMap((name) => model.parameters.get(name) ?? []);
    const rows = parameters.map(({ name, schema, description }) => [`\`${name}\``, typeText(schema), description]);
    return markdownTable(['Parameter', 'Type', 'Meaning'], rows);
  },
  pagedOperations: ({ model }) => operationList(model.operations.filter(isPaged)),
  idempotentOperations: ({ model }) =>
    operationList(
      model.operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'Idempotency-Key')),
    ),
  testHelpers: ({ model }) => operationList(model.operations.filter(({ tag }) => tag === 'Test helpers')),
  sdkMethods: ({ model }) => methodsTable(model.operations.filter((operation) => !isOfSessions(operation))),
  sessionMethods: ({ model }) => methodsTable(model.operations.filter(isOfSessions)),
  userRoles: ({ model }) => {
    const roles = Object.entries(namedSchema(model, 'UserRole')['x-extensible-enum'] ?? {});
    return markdownTable(
      ['Role', 'What it does'],
      roles.map(([role, meaning]) => [`\`${role}\``, meaning]),
    );
  },
  roles: ({ model }) => {
    const roles = Object.keys(namedSchema(model, 'UserRole')['x-extensible-enum'] ?? {});
    const limited = model.operations.filter((operation) => operation.roles.length > 0);
    const groups = grouped(limited, (operation) => roles.map((role) => (mayCall(operation, role) ? 'yes' : '')).join());
    return markdownTable(
      ['Operations', ...roles],
      groups.map(([rights, members]) => [operationIds(members), ...rights.split(',')]),
    );
  },
  eventNames: ({ model }) => model.webhooks.map(({ name }) => `\`${name}\``).join(', '),
  deliveryAnswer: ({ model }) => model.webhooks[0]?.expectedAnswer ?? '',
  deliveryStatus: ({ model }) => namedSchema(model, 'DeliveryStatus').description ?? '',
  magicInputs: magicInputsTable,
  magicParameters: magicParametersTable,
  statuses: ({ model }) =>
    markdownTable(
      ['Operation', 'Statuses'],
      model.operations.map(({ id, answers }) => [`\`${id}\``, [...answers.keys()].join(', ')]),
    ),
};

function mayCall({ roles }: ModelOperation, role: string): boolean {
  return roles.some((one) => one === role);
}

function methodsTable(operations: readonly ModelOperation[]): string {
  return markdownTable(
    ['Method', 'Operation', 'What it does'],
    operations.flatMap(({ id, summary, sdkMethod }) =>
      sdkMethod ? [[`\`${sdkMethod}()\``, `\`${id}\``, summary]] : [],
    ),
  );
}

function getOperation({ operationById }: Model, id: string): ModelOperation {
  const operation = operationById.get(id);
  if (!operation) throw new Error(`A guide names the operation ${id}, which the contract does not have.`);
  return operation;
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): [string, Item[]][] {
  return Object.entries(Object.groupBy(items, keyOf)).map(([key, members = []]) => [key, members]);
}

function operationIds(operations: readonly ModelOperation[]): string {
  return operations.map(({ id }) => `\`${id}\``).join(', ');
}

function operationList(operations: readonly ModelOperation[]): string {
  return operations.map(({ id, summary }) => `- \`${id}\`: ${summary}`).join('\n');
}

/**
 * The mock compares a request with each request example, but only the values that differ from the first request
 * example. If all these values match, the mock gives the answer example of the same name.
 */
export function magicInputsTable({ model }: Pick<Source, 'model'>): string {
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

/**
 * The contract lists under `x-mock-examples` the parameter values that choose the answer of the mock. The same value
 * may choose different answers for different operations.
 */
function magicParametersTable({ model }: Pick<Source, 'model'>): string {
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

function answersOf({ answers }: ModelOperation): Map<string, string> {
  const entries = [...answers].flatMap(([status, { content }]) =>
    [...(content?.examples.values() ?? [])].map(({ name, summary }) => [name, `${status}: ${summary}`] as const),
  );
  return new Map(entries.filter(([name]) => name !== 'basic'));
}

/**
 * Each value that differs from the value at the same path in the first request example, with this path. The mock
 * compares only these values.
 */
function leavesIn(value: unknown, usual: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) {
    return value === usual ? [] : [`\`${path}\` = \`${JSON.stringify(value)}\``];
  }
  return Object.entries(value).flatMap(([key, child]) =>
    leavesIn(child, Object(usual)[key], path === '' ? key : `${path}.${key}`),
  );
}
