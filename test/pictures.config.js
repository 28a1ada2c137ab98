import common from './ava.config.js';

/** Pictures are not part of `npm test`. They are for people to look at, and are compared by `npm run pictures` only. */
export default { ...common, files: ['pictures/every-page.ts'], timeout: '10m' };
