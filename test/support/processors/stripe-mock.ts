import test from 'ava';

const url = process.env.STRIPE_MOCK_TEST_URL;

/**
 * Declares a test that needs stripe-mock. npm does not have it, so `.ci/run` builds it where Go is installed, and sets
 * its address. Without an address the test is skipped, and `npm run test:all` says so in capitals; with CI=true it then runs
 * nothing.
 */
export const onStripeMock = url ? test : test.skip;

/** The address of stripe-mock, for tests of `onStripeMock`. It accepts every key that begins with `sk_test_`. */
export const stripeMockUrl = url ?? '';
