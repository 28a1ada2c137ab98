/**
 * The developer's commands that `tillhook` runs.
 *
 * Choice: `deliveries` is not in this list, because `tillhook deliveries` is the operator's command, which lists and
 * replays the deliveries of every merchant. A developer uses `npm run deliveries`.
 */
export const developerCommands = ['listen', 'trigger', 'advance', 'verify', 'events', 'resend', 'replay'];
