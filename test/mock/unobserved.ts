/**
 * A test file that imports this module does not record the statuses that it sees, because answers of the mock prove
 * nothing about the server.
 */
process.env.TEST_OBSERVED_FILE = '';
