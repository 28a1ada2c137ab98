import test from 'ava';

const url = process.env.STRIPE_MOCK_TEST_URL;

/**
 * For what is asked of stripe-mock. None comes from npm; `.ci/run` builds it where there is Go, and sets the address. Without it
 * these are skipped, and both `npm test` and `.ci/run` say so in capitals.
 */
export const onStripeMock = url ? test : test.skip;

/** Where stripe-mock listens, inside a test of `onStripeMock`. It takes every key that begins with `sk_test_`. */
export const stripeMockUrl = url ?? '';
