import test from 'ava';
import { runDeveloper } from '../support/server/developer.ts';

const env = { TILLHOOK_API_KEY: 'sk_test_any', TILLHOOK_BASE_URL: 'http://localhost:1' };

test('a duration without a unit, with an unknown unit or beyond 30 days is refused before any call', async (t) => {
  for (const duration of ['90', '2x', 'soon', '31d', '0s']) {
    const end = await runDeveloper(env, 'advance', duration);
    t.is(end.code, 2, duration);
    t.regex(end.stderr, /^The duration must be .*\n(Write it as 90s|Call the command several times).*\n$/);
  }
});
