import type { ChangelogVersion, ContractChange, ModelOperation } from '@tillhook/openapi';
import type { Page } from './page.ts';

/** What each version of the contract changed. The changes were found by comparing it with the version before. */
export function changelogPage(versions: readonly ChangelogVersion[], operations: readonly ModelOperation[]): Page {
  const summaries = new Map<string, string>(operations.map(({ id, summary }) => [id, summary]));
  return {
    path: '/changelog',
    title: 'Changelog',
    summary: 'What each version of the contract added and changed.',
    markdown: `# Changelog

This list is generated: each version of the contract is compared with the version before. As long as the version
in the paths stays the same, changes only add to the contract. So your program must accept fields, events and codes that it does
not know.

${versions.map((version) => versionText(version, summaries)).join('\n')}`,
  };
}

function versionText({ version, since, notes, changes }: ChangelogVersion, summaries: Map<string, string>): string {
  const kinds = [
    ['New operations', changes.filter(({ what, kind }) => what === '' && kind === 'added')],
    ['Removed', changes.filter(({ kind }) => kind === 'removed')],
    ['Added', changes.filter(({ what, kind }) => what !== '' && kind === 'added')],
    ['Changed', changes.filter(({ kind }) => kind === 'changed')],
  ] as const;
  const parts = kinds.filter(([, found]) => found.length > 0);
  return `## ${version}

Since ${since}.

${notes.length > 0 ? `### What clients must know about ${version}\n\n${notes.map((note) => `- ${note}`).join('\n')}\n` : ''}
${parts.map(([title, found]) => `### ${title} in ${version}\n\n${found.map((change) => changeText(change, summaries)).join('\n')}\n`).join('\n')}`;
}

function changeText({ what, operations }: ContractChange, summaries: Map<string, string>): string {
  if (what === '') return operations.map((name) => `- \`${name}\`: ${summaries.get(name) ?? name}`).join('\n');
  const names = operations.map((name) => `\`${name}\``);
  return `- ${what.charAt(0).toUpperCase()}${what.slice(1)}: ${names.join(', ')}`;
}
