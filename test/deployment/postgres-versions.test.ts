import {
  readPublishedCompatibility,
  replaceVersions,
  testedVersionsText,
} from '@tillhook/docs/figures/postgres-versions.ts';
import test from 'ava';
import { supportedVersions } from '../support/run/chosen-postgres.ts';

test('the published test run covered all supported versions of Postgres, and no test failed', (t) => {
  t.deepEqual(
    readPublishedCompatibility().versions.map(({ version, failed }) => [version.split('.')[0], failed]),
    supportedVersions.map((version) => [version, 0]),
  );
});

test('the text about a test run names the test files that ran, and the files that were left out', (t) => {
  const text = testedVersionsText({
    testedAt: '2026-11-26T00:00:00.000Z',
    files: ['money', '!contract/generated-inputs.test.ts', 'restart/migrations.test.ts'],
    versions: [{ version: '15.18', passed: 1200, failed: 0 }],
  });

  t.regex(text, /\| 15\.18 \| 1,200 \| \*\*0\*\* \|/);
  t.regex(text, /`money`, `restart\/migrations`; without `contract\/generated-inputs`\.$/);
});

test('a later run replaces the results of the versions that it tested; other results are kept only if they are of the same test files', (t) => {
  const reportOf = (testedAt: string, files: string[], versions: string[]) => ({
    ...{ testedAt, files },
    versions: versions.map((version) => ({ version, passed: 1, failed: 0 })),
  });
  const earlier = reportOf('2026-11-25', ['money'], ['15.18', '16.13', '17.9']);

  t.deepEqual(
    replaceVersions(earlier, reportOf('2026-11-26', ['money'], ['16.14'])),
    reportOf('2026-11-26', ['money'], ['15.18', '16.14', '17.9']),
  );
  t.deepEqual(
    replaceVersions(earlier, reportOf('2026-11-26', ['cli'], ['16.14'])),
    reportOf('2026-11-26', ['cli'], ['16.14']),
  );
});
