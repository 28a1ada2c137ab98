import { fileURLToPath } from 'node:url';

/** The directory of all reports, which Git ignores. */
export const reportsDirectory = fileURLToPath(new URL('../../reports/', import.meta.url));
export const profilesDirectory = `${reportsDirectory}profiles`;
