import { testGeneratedInputs } from '../support/calls/generated-inputs.ts';

testGeneratedInputs({ valid: 2, mistakes: 'one of each field', usualSeed: 1042 });
