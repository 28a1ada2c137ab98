/** Eight more valid requests of each operation, and the other mistakes of each field. */
import { testGeneratedInputs } from '../support/calls/generated-inputs.ts';

testGeneratedInputs({ valid: 8, mistakes: 'the others', usualSeed: 1043 });
