import test from 'ava';

const url = process.env.STRIPE_MOCK_TEST_URL;

/** For what is asked of stripe-mock. It comes neither from npm nor from the system here; `.ci/run` builds it and sets the address. */
export const onStripeMock = url ? test : test.skip;

/** Where stripe-mock listens, inside a test of `onStripeMock`. It takes every key that begins with `sk_test_`. */
export const stripeMockUrl = url ?? '';
