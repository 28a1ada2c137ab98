/** No pattern of the contract takes quadratic time on strings of 20 KB that repeat a character. */
import { testPatterns } from '../support/calls/costly-patterns.ts';

testPatterns({ length: 20 * 1024, pairs: false });
