/**
 * The developer's commands that this program leads to.
 *
 * Choice: `deliveries` is the operator's command here, because an operator lists and replays those of every merchant. A
 * developer has `npm run deliveries`.
 */
export const developerCommands = ['listen', 'trigger', 'advance', 'verify', 'events', 'resend', 'replay'];
