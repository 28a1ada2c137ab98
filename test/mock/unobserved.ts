/** What the mock answers proves nothing about the server: a file that imports this one adds nothing to what was seen of it. */
process.env.TEST_OBSERVED_FILE = '';
