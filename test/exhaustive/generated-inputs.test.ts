/** Sends eight more valid requests to each operation, and the requests with one mistake that npm test leaves out. */
import { testGeneratedInputs } from '../support/calls/generated-inputs.ts';

testGeneratedInputs({ valid: 8, mistakes: 'the others', usualSeed: 1043 });
