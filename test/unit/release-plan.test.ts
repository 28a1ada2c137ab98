import { planRelease, type ReleaseDetails, ReleaseRefused } from '@tillhook/openapi/release/plan';
import test from 'ava';

const details: ReleaseDetails = { released: '0.2.0', present: '0.3.0', difference: 'additive', isPackageChanged: true };

const rules: [what: string, details: Partial<ReleaseDetails>, step: string][] = [
  ['a change that breaks clients', { difference: 'breaking', present: '0.3.0' }, 'minor'],
  [
    'a change that breaks clients, from 1.0.0 on',
    { difference: 'breaking', released: '1.4.2', present: '2.0.0' },
    'major',
  ],
  ['an addition', { difference: 'additive', present: '0.3.0' }, 'minor'],
  ['an addition, from 1.0.0 on', { difference: 'additive', released: '1.4.2', present: '1.5.0' }, 'minor'],
  ['a change of texts', { difference: 'texts', present: '0.2.1' }, 'patch'],
  ['a change of the SDK or the mock alone', { difference: 'none', present: '0.2.1' }, 'patch'],
];

for (const [what, changed, step] of rules) {
  test(`${what} requires a new ${step} version`, (t) => {
    const all = { ...details, ...changed };

    t.deepEqual(planRelease(all), { version: all.present, step });
  });
}

const refused: [what: string, details: Partial<ReleaseDetails>, told: RegExp][] = [
  ['an addition with the version of a patch', { present: '0.2.1' }, /`version: 0\.3\.0`/],
  ['an addition with the released version', { present: '0.2.0' }, /`version: 0\.3\.0`/],
  ['a version that skips one', { present: '0.4.0' }, /`version: 0\.3\.0`/],
  ['an earlier version', { present: '0.1.0' }, /`version: 0\.3\.0`/],
  ['a prerelease version', { present: '0.3.0-rc.1' }, /`version: 0\.3\.0`/],
  [
    'a change that breaks clients with the version of an addition, from 1.0.0 on',
    { difference: 'breaking', released: '1.4.2', present: '1.5.0' },
    /`version: 2\.0\.0`/,
  ],
  ['no change at all', { difference: 'none', isPackageChanged: false, present: '0.2.1' }, /nothing has changed/],
  ['a released version that is not semver', { released: 'latest' }, /latest is not like/],
];

for (const [what, changed, told] of refused) {
  test(`${what} throws ReleaseRefused`, (t) => {
    t.throws(() => planRelease({ ...details, ...changed }), { instanceOf: ReleaseRefused, message: told });
  });
}

test('a person may choose a larger step of the version than necessary', (t) => {
  t.is(planRelease({ ...details, difference: 'texts', present: '0.3.0' }).version, '0.3.0');
  t.is(planRelease({ ...details, present: '1.0.0' }).version, '1.0.0');
});
