import common from './ava.config.js';

/** Screenshots are for people to look at: only `npm run pictures` compares them, and `npm test` does not. */
export default { ...common, files: ['pictures/every-page.ts'], timeout: '10m' };
