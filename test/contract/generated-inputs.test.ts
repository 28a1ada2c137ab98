/** A few valid requests of each operation, and one mistake of each field. */
import { testGeneratedInputs } from '../support/calls/generated-inputs.ts';

testGeneratedInputs({ valid: 2, mistakes: 'one of each field', usualSeed: 1042 });
