/** Tests the program that decodes logos with sixteen more harmful files, and its limits of memory and work. */
import { otherFiles, testDecoding } from '../support/images/decode-tests.ts';

testDecoding(otherFiles);
