/** One file of each kind is decoded here, and `exhaustive/` tests all other files. */
import { someFiles, testDecoding } from '../support/images/decode-tests.ts';

testDecoding(someFiles);
