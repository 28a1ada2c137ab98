/**
 * Fills facts of the contract and of this server into the guides. In their Markdown, `{{name}}` or
 * `{{name:argument}}` stands for Markdown that is made here, so that no guide repeats a fact that stands elsewhere.
 * See docs/decisions/docs.md, "The documentation is Markdown with insertions".
 */
import { readFileSync } from 'node:fs';
import { type Model, type ModelOperation, namedSchema } from '@tillhook/openapi';
import { groupedNumber } from '../../kit/card-brands.ts';
import { receiverCommand } from '../../kit/receiver-command.ts';
import { successOf, type TestCard } from '../../processors/port.ts';
import { credentialChoices, curlSample, isOfSessions, isPaged, sdkSample } from './call-sample.ts';
import { callSamples } from './call-samples.ts';
import { readPublishedCompatibility, testedVersionsText } from './figures/postgres-versions.ts';
import { firstHourMarkdown } from './first-hour.ts';
import { magicInputsTable, magicParametersTable } from './magic-inputs.ts';
import { markdownTable } from './markdown-table.ts';
import type { PortalSource } from './portal-source.ts';
import { programCommands, programsText } from './quick-start-files.ts';
import { typeText } from './schema-fields.ts';
import { deliveryInsertions } from './webhook-insertions.ts';

export type Insertion = (source: PortalSource, argument: string) => string;

export function insert(markdown: string, source: PortalSource): string {
  return markdown.replace(/\{\{(\w+)(?::([^}]+))?\}\}/g, (_whole, name: string, argument = '') => {
    const insertion = insertions[name] ?? deliveryInsertions[name];
    if (!insertion) throw new Error(`A guide has the insertion {{${name}}}, which is not defined.`);
    return insertion(source, argument).trim();
  });
}

const sdkPackage = import.meta.resolve('@tillhook/sdk/package.json');

const insertions: Record<string, Insertion> = {
  publicUrl: ({ publicUrl }) => publicUrl,
  /** The packages have the version of the contract. */
  version: ({ model }) => model.version,
  mockUrl: ({ model }) => model.servers.at(-1)?.url ?? '',
  /** A section of the contract's description. `intro` is the text before the first section. */
  contract: ({ model }, title) => {
    const sections = model.description.split(/^## /m);
    const text = title === 'intro' ? sections[0] : sections.find((section) => section.startsWith(`${title}\n`));
    if (text === undefined) throw new Error(`The contract has no section "${title}".`);
    return text.replace(`${title}\n`, '');
  },
  /** What the contract says about a group of operations. */
  tag: ({ model }, name) => {
    const text = model.tags.get(name);
    if (text === undefined) throw new Error(`The contract has no tag "${name}".`);
    return text;
  },
  path: ({ model }, id) => getOperation(model, id).path,
  curl: ({ model, publicUrl }, id) => fence('sh curl', curlSample(model, getOperation(model, id), publicUrl)),
  /** The call of an operation in each language. */
  calls: ({ model, publicUrl }, id) => callSamples(model, getOperation(model, id), publicUrl),
  curlWith: ({ model, publicUrl }, id) => {
    const sample = curlSample(model, getOperation(model, id), publicUrl);
    return fence('sh', sample.replace(' \\\n  -d', ' \\\n  -H "Idempotency-Key: $(uuidgen)" \\\n  -d'));
  },
  sdkCode: ({ model }, id) => sdkSample(getOperation(model, id)) ?? '',
  /**
   * The code of a receiver that is part of the SDK, by the name of its framework. It is shown unchanged, so readers see
   * the code that its tests run.
   */
  recipe: (_source, name) => {
    const file = new URL(`./recipes/${name.toLowerCase()}.ts`, sdkPackage);
    return fence(`ts ${name}`, readFileSync(file, 'utf8').trim());
  },
  receiverCommand: ({ publicUrl }) => receiverCommand(publicUrl),
  firstHour: ({ publicUrl }) => firstHourMarkdown(publicUrl),
  /** The versions of Postgres with the results of their tests. */
  testedPostgres: () => testedVersionsText(readPublishedCompatibility()),
  /** The programs of the quick start, or one part of them, in each language. */
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
  limits: ({ ratePolicies }) => {
    if (!ratePolicies) return 'This server has no limits.';
    const limitNames = {
      'Test mode': 'test',
      'Live mode': 'live',
      'Test events to one endpoint': 'test_event',
    } as const;
    const rows = Object.entries(limitNames).map(([title, name]) => {
      const { calls, seconds } = ratePolicies[name];
      return [title, `${calls.toLocaleString('en')} calls`, `${seconds} seconds`];
    });
    return markdownTable(['Whose', 'At most', 'In'], rows);
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
  testCard: ({ testCards }) => groupedNumber(testCards[0]?.number ?? ''),
  testCards: ({ testCards }) => {
    const rows = testCards.map((card) => [
      `\`${groupedNumber(card.number)}\``,
      card.brand,
      outcomeOf(card),
      card.decline?.code ?? '',
    ]);
    return (
      markdownTable(['Card', 'Brand', 'What happens', '`failureCode`'], rows) || 'This server takes no test cards.'
    );
  },
  sdkMethods: ({ model }) => methodsTable(model.operations.filter((operation) => !isOfSessions(operation))),
  sessionMethods: ({ model }) => methodsTable(model.operations.filter(isOfSessions)),
  roles: ({ model }) => {
    const limited = model.operations.filter(({ roles }) => roles.length > 0);
    const groups = grouped(limited, ({ roles }) => roles.join(', '));
    return markdownTable(
      ['Roles', 'Operations'],
      groups.map(([roles, members]) => [roles, operationIds(members)]),
    );
  },
  magicInputs: magicInputsTable,
  magicParameters: magicParametersTable,
  statuses: ({ model }) =>
    markdownTable(
      ['Operation', 'Statuses'],
      model.operations.map(({ id, answers }) => [`\`${id}\``, [...answers.keys()].join(', ')]),
    ),
};

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

function outcomeOf(card: TestCard): string {
  return card.decline ? `Declined: ${card.decline.message}` : successOf(card);
}

function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}
