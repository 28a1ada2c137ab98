/** Tests the program that decodes logos with one file of each kind. `exhaustive/` tests all other files. */
import { someFiles, testDecoding } from '../support/images/decode-tests.ts';

testDecoding(someFiles);
