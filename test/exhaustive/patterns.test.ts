/** Each pattern of the contract on strings of 100 KB that repeat one or two characters. */
import { testPatterns } from '../support/calls/costly-patterns.ts';

testPatterns({ length: 100 * 1024, pairs: true });
