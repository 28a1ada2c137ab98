/** The program that decodes logos, with one file of each kind. The other files are in `exhaustive/`. */
import { someFiles, testDecoding } from '../support/images/decode-tests.ts';

testDecoding(someFiles);
