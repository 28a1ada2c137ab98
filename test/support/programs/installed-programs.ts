import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the program at the path in the environment variable, or else the installed program of this name. */
export function findProgram(name: string, variable?: string): string | undefined {
  const named = variable && process.env[variable];
  if (named) return named;
  // Debian installs some programs in directories that only administrators have on their PATH.
  const directories = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return directories.map((directory) => join(directory, name)).find((path) => existsSync(path));
}

/** Returns the shells that are not installed, among the shells for which the command line has completion. */
export function missingShells(): string[] {
  return ['bash', 'zsh', 'fish'].filter((shell) => !findProgram(shell));
}

const languagePrograms = { Python: 'python3', Go: 'go', Java: 'javac', PHP: 'php', Ruby: 'ruby' };

/** Returns the languages of the quick start whose programs are not installed. TypeScript needs only Node. */
export function missingLanguages(): string[] {
  return Object.entries(languagePrograms).flatMap(([language, program]) => (findProgram(program) ? [] : [language]));
}

const services = fileURLToPath(new URL('../../services/', import.meta.url));

/**
 * Returns the path of Prometheus or promtool: the path in `PROMETHEUS` or `PROMTOOL`, or else the program that was
 * unpacked as `test/services/README.md` says, or else the installed program.
 */
export function findPrometheus(name: 'prometheus' | 'promtool'): string | undefined {
  const named = process.env[name.toUpperCase()];
  if (named) return named;
  const unpacked = join(services, 'prometheus/dist', name);
  return existsSync(unpacked) ? unpacked : findProgram(name);
}

/** The program that checks the dashboard with Grafana's types. `.ci/run` builds the program if Go is installed. */
export const dashboardCheck = join(services, 'grafana/dist/check-dashboard');

export const hasDashboardCheck = (): boolean => existsSync(dashboardCheck);

const debianPostgres = '/usr/lib/postgresql';

/**
 * Returns a directory that has all of these Postgres programs: the directory in `POSTGRES_BIN`, or else the directory
 * of Debian's latest version. The embedded Postgres lacks some of these programs.
 */
export function findPostgresPrograms(wanted: readonly string[]): string | undefined {
  const versions = existsSync(debianPostgres) ? readdirSync(debianPostgres).map(Number) : [];
  const installed = versions.toSorted((a, b) => b - a).map((version) => join(debianPostgres, String(version), 'bin'));
  return [process.env.POSTGRES_BIN ?? '', ...installed].find((directory) =>
    wanted.every((program) => existsSync(join(directory, program))),
  );
}
