import { findProgram } from '../programs/installed-programs.ts';

const programs = {
  'firefox-esr': { browser: 'Firefox', debian: 'firefox-esr', variable: 'FIREFOX' },
  WebKitWebDriver: { browser: 'WebKit', debian: 'webkit2gtk-driver', variable: 'WEBKIT_DRIVER' },
  Xvfb: { browser: 'WebKit', debian: 'xvfb', variable: 'XVFB' },
} as const;

type ProgramName = keyof typeof programs;
export type OtherBrowser = (typeof programs)[ProgramName]['browser'];

export const otherBrowsers: readonly OtherBrowser[] = ['Firefox', 'WebKit'];

export function missingPackages(browser: OtherBrowser): string[] {
  return Object.entries(programs)
    .filter(([name, { browser: owner, variable }]) => owner === browser && !findProgram(name, variable))
    .map(([, { debian }]) => debian);
}

export function requireProgram(name: ProgramName): string {
  const { debian, variable } = programs[name];
  const path = findProgram(name, variable);
  if (path) return path;
  throw new Error(`${name} is not installed: install the Debian package ${debian}, or set ${variable} to the program.`);
}
