/** Sixteen more harmful files for the program that decodes logos, each with its limits of memory and of work. */
import { otherFiles, testDecoding } from '../support/images/decode-tests.ts';

testDecoding(otherFiles);
