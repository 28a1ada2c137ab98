/**
 * The transcript of a first hour, which `test/developer/first-hour.test.ts` compares with what the commands print.
 */
import { readFileSync } from 'node:fs';

export const firstHourText = () => readFileSync(`${import.meta.dirname}/../../../docs/first-hour.txt`, 'utf8');
