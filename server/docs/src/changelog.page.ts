import type { ChangelogVersion, ContractChange, ModelOperation } from '@tillhook/openapi';
import type { Page } from './page.ts';

export function changelogPage(versions: readonly ChangelogVersion[], operations: readonly ModelOperation[]): Page {
  const summaries = new Map<string, string>(operations.map(({ id, summary }) => [id, summary]));
  return {
    path: '/changelog',
    title: 'Changelog',
    summary: 'What you can do since each version of the contract, and what changed in it.',
    markdown: `# Changelog

What you can do since each version of the contract, and what changed in it. As long as the version in the paths stays the same,
changes only add to the contract. So your program must accept fields, events and codes that it does not know.

${versions.map((version) => versionText(version, summaries)).join('\n')}
## Deprecated

${deprecationsText(operations)}
`,
  };
}

function versionText(version: ChangelogVersion, summaries: Map<string, string>): string {
  const { date, summary, notes, operators } = version;
  return `## ${version.version}

*${dayText(date)}*

${summary}

${notesText(`What clients must know about ${version.version}`, notes)}
${notesText(`What operators must know about ${version.version}`, operators)}
${changesText(version, summaries)}`;
}

function notesText(title: string, notes: readonly string[]): string {
  return notes.length === 0 ? '' : `### ${title}\n\n${notes.map((note) => `- ${note}`).join('\n')}\n`;
}

function dayText(date: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date));
}

function changesText({ version, since, changes }: ChangelogVersion, summaries: Map<string, string>): string {
  const kinds = [
    ['New operations', changes.filter(({ what, kind }) => what === '' && kind === 'added')],
    ['Removed', changes.filter(({ kind }) => kind === 'removed')],
    ['Added', changes.filter(({ what, kind }) => what !== '' && kind === 'added')],
    ['Changed', changes.filter(({ kind }) => kind === 'changed')],
  ] as const;
  const parts = kinds.filter(([, found]) => found.length > 0);
  if (parts.length === 0) return '';
  return `<details>
<summary>All differences from ${since}</summary>

${parts.map(([title, found]) => `### ${title} in ${version}\n\n${found.map((change) => changeText(change, summaries)).join('\n')}\n`).join('\n')}
</details>
`;
}

function changeText({ what, operations }: ContractChange, summaries: Map<string, string>): string {
  if (what === '') return operations.map((name) => `- \`${name}\`: ${summaries.get(name) ?? name}`).join('\n');
  const names = operations.map((name) => `\`${name}\``);
  return `- ${what.charAt(0).toUpperCase()}${what.slice(1)}: ${names.join(', ')}`;
}

function deprecationsText(operations: readonly ModelOperation[]): string {
  const lines = operations.flatMap(({ id, deprecation, parameters }) => [
    ...(deprecation ? [`- \`${id}\`: ${daysText(deprecation)}`] : []),
    ...parameters.flatMap(({ name, deprecation: ofParameter }) =>
      ofParameter ? [`- The parameter \`${name}\` of \`${id}\`: ${daysText(ofParameter)}`] : [],
    ),
  ]);
  return lines.length === 0
    ? 'Nothing is deprecated. What will be removed is listed here at least a year before.'
    : lines.join('\n');
}

function daysText({ since, sunset }: NonNullable<ModelOperation['deprecation']>): string {
  return `deprecated since ${dayText(since)}, and may be missing from ${dayText(sunset)} on`;
}
