import common from './ava.config.js';

/** Not part of `npm test`: pictures are for people to look at, and are compared when somebody asks for it. */
export default { ...common, files: ['pictures/every-page.ts'], timeout: '10m' };
