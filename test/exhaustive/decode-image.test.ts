/** Tests the program that decodes logos with sixteen more harmful files, each with its limits of memory and work. */
import { otherFiles, testDecoding } from '../support/images/decode-tests.ts';

testDecoding(otherFiles);
