import { type ChangelogVersion, readContract } from '@tillhook/openapi';
import { packageChangelog } from '@tillhook/openapi/release/package-changelog';
import test from 'ava';

const { model } = readContract();
const first: ChangelogVersion = {
  version: '0.1.0',
  date: '2026-01-02',
  summary: 'The first version.',
  since: null,
  notes: [],
  operators: [],
  changes: [],
};
const second: ChangelogVersion = {
  version: '0.2.0',
  date: '2026-03-04',
  summary: 'You can give money back.',
  since: '0.1.0',
  notes: ['**Codes are open.** See [Codes](/docs/codes).'],
  operators: ['Run the migration first.'],
  changes: [
    { kind: 'added', what: '', operations: ['createRefund', 'signIn', 'refund.success'] },
    { kind: 'added', what: '`metadata` of `Transfer`', operations: ['listTransfers'] },
    { kind: 'changed', what: 'the parameter `limit`', operations: ['listPayments'] },
    { kind: 'removed', what: '', operations: ['getFax'] },
  ],
};
const notes = {
  '0.2.0': { date: '', summary: '', notes: [], sdk: ['Retries last longer.'], mock: ['It remembers payments.'] },
};
const sources = { versions: [second, first], notes, model };

test('the changelog of the SDK names methods, and has only the notes about the SDK', (t) => {
  const [, text] = packageChangelog('sdk', sources).split(/^## /m);

  t.is(
    text,
    `0.2.0 (2026-03-04)

You can give money back.

- Retries last longer.
- **Codes are open.** See Codes (\`/docs/codes\` of your server).

### New methods

\`refunds.create\`

### New methods of \`@tillhook/sdk/session\`

\`session.signIn\`

### New events

\`refund.success\`

### Added

- \`metadata\` of \`Transfer\`: \`transfers.list\`

### Changed

- the parameter \`limit\`: \`payments.list\`

### Removed

- \`getFax\`

`,
  );
});

test('the changelog of the mock names operations, and has only the notes about the mock', (t) => {
  const text = packageChangelog('mock', sources);

  t.true(text.includes('- It remembers payments.\n'));
  t.false(text.includes('Retries'));
  t.true(text.includes('### New operations\n\n`createRefund`\n\n### New operations of the dashboard\n\n`signIn`\n'));
  t.true(text.includes('- `metadata` of `Transfer`: `listTransfers`\n'));
});

test('a changelog ends with the first version', (t) => {
  t.true(packageChangelog('mock', sources).endsWith('## 0.1.0 (2026-01-02)\n\nThe first version.\n'));
});
