import { testPrograms } from '../support/quick-start/programs.ts';
import { testVectors } from '../support/quick-start/vectors.ts';

// `exhaustive/quick-start/programs.test.ts` tests all languages except TypeScript.
const isTried = (language: string) => language === 'TypeScript';
testPrograms(isTried);
testVectors(isTried);
