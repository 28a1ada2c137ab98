import test from 'ava';
import { missingLanguages } from './toolchains.ts';

/** A test of code in a language, which is skipped when nothing runs that language here. */
export function onLanguage(language: string): typeof test.serial | typeof test.serial.skip {
  return missingLanguages().includes(language) ? test.serial.skip : test.serial;
}
