/**
 * Stands before a statement that alters a table in use. While such a statement waits for its lock, all later statements
 * on the table wait behind it. With this limit it fails after two seconds, and the caller tries again.
 */
export const giveWay = `set local lock_timeout = '2s';`;
