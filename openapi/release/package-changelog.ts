import type { Model } from '../model/model.ts';
import type { PublishedPackage } from './changed-files.ts';
import type { ChangelogVersion, ContractChange } from './changelog.ts';
import type { VersionNotes } from './changelog-notes.ts';

export interface ChangelogSources {
  versions: readonly ChangelogVersion[];
  notes: Readonly<Record<string, VersionNotes>>;
  model: Model;
}

/** The changelog of the SDK lists SDK methods instead of operations. */
export function packageChangelog(name: PublishedPackage, sources: ChangelogSources): string {
  const title = `# Changes of @tillhook/${name}`;
  const origin =
    '<!-- Made by `npm run generate` from openapi/release/changelog-notes.ts and the contract. Do not edit. -->\n\n' +
    'The version is that of the contract. Before 1.0.0, the second number also counts changes that break a program.';
  const texts = sources.versions.map((version) => versionText(name, version, sources));
  return `${[title, origin, ...texts].join('\n\n')}\n`;
}

function versionText(name: PublishedPackage, entry: ChangelogVersion, sources: ChangelogSources): string {
  const own = sources.notes[entry.version]?.[name] ?? [];
  const parts = [
    `## ${entry.version} (${entry.date})`,
    entry.summary,
    list([...own, ...entry.notes]),
    ...newNames(name, entry.changes, sources.model),
    ...changedParts(name, entry.changes, sources.model),
  ];
  return parts
    .filter((part) => part !== '')
    .map(withoutPagesOfTheServer)
    .join('\n\n');
}

function isNew({ kind, what }: ContractChange): boolean {
  return kind === 'added' && what === '';
}

/** Dashboard operations have a separate list, because no API key can call them. */
function newNames(name: PublishedPackage, changes: readonly ContractChange[], model: Model): string[] {
  const gained = changes.filter(isNew).flatMap(({ operations }) => operations);
  const isOperation = (id: string) => model.operationById.has(id);
  const isOfSession = (id: string) => model.operationById.get(id)?.isInternal === true;
  const [word, ofSession] =
    name === 'sdk' ? ['methods', 'methods of `@tillhook/sdk/session`'] : ['operations', 'operations of the dashboard'];
  return [
    namesPart(`New ${word}`, gained.filter((id) => isOperation(id) && !isOfSession(id)).map(callOf(name, model))),
    namesPart(`New ${ofSession}`, gained.filter(isOfSession).map(callOf(name, model))),
    namesPart('New events', gained.filter((id) => !isOperation(id)).map(callOf(name, model))),
  ];
}

function namesPart(title: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `### ${title}\n\n${names.join(', ')}`;
}

function changedParts(name: PublishedPackage, changes: readonly ContractChange[], model: Model): string[] {
  const kinds = { Added: 'added', Changed: 'changed', Removed: 'removed' } as const;
  return Object.entries(kinds).map(([title, kind]) => {
    const found = changes.filter((change) => change.kind === kind && !isNew(change));
    const lines = found.map(({ what, operations }) => {
      const calls = operations.map(callOf(name, model)).join(', ');
      return what === '' ? calls : `${what}: ${calls}`;
    });
    return found.length === 0 ? '' : `### ${title}\n\n${list(lines)}`;
  });
}

function callOf(name: PublishedPackage, { operationById }: Model): (operation: string) => string {
  return (id) => `\`${(name === 'sdk' && operationById.get(id)?.sdkMethod) || id}\``;
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

/** The documentation is on the reader's own server, so links to `/docs/…` would not work in a package. */
function withoutPagesOfTheServer(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\((\/docs\/[^)]*)\)/g, '$1 (`$2` of your server)');
}
