/** Sends eight more valid requests to each operation, and requests with every other mistake in each field. */
import { testGeneratedInputs } from '../support/calls/generated-inputs.ts';

testGeneratedInputs({ valid: 8, mistakes: 'the others', usualSeed: 1043 });
