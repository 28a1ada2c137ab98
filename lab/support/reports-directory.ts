import { fileURLToPath } from 'node:url';

/** Git ignores it. */
export const reportsDirectory = fileURLToPath(new URL('../../reports/', import.meta.url));
export const profilesDirectory = `${reportsDirectory}profiles`;
