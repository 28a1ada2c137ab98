/**
 * A test file that imports this one records no statuses as seen, because answers of the mock prove nothing about the
 * server.
 */
process.env.TEST_OBSERVED_FILE = '';
