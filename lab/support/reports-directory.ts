import { fileURLToPath } from 'node:url';

export const reportsDirectory = fileURLToPath(new URL('../../reports/', import.meta.url));
export const profilesDirectory = `${reportsDirectory}profiles`;
