/** Fifteen valid requests of each operation, and every mistake of each field. */
import { testGeneratedInputs } from '../support/calls/generated-inputs.ts';

testGeneratedInputs({ valid: 15, mistakes: 'every' });
