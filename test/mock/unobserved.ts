/**
 * A test file that imports this module does not record statuses as seen, because answers of the mock prove nothing
 * about the server.
 */
process.env.TEST_OBSERVED_FILE = '';
