/**
 * Goes before whatever alters a table in use. Whoever waits for such a lock has everybody else wait behind it, so it gives up
 * soon. Its caller tries again.
 */
export const giveWay = `set local lock_timeout = '2s';`;
