/** Where the mock answers otherwise than the server, and why, by the request's title. A test fails for one that is gone. */
export const differences: Record<string, string> = {};
