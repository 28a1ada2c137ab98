/** Tests the programs of the quick start and their verifiers in Python, Go, Java, PHP and Ruby. */
import { testPrograms } from '../../support/quick-start/programs.ts';
import { testVectors } from '../../support/quick-start/vectors.ts';

const isTried = (language: string) => language !== 'TypeScript';
testPrograms(isTried);
testVectors(isTried);
