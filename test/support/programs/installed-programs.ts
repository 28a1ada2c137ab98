import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the program that the environment variable names, or else the installed one of this name. */
export function findProgram(name: string, variable?: string): string | undefined {
  const named = variable && process.env[variable];
  if (named) return named;
  // Debian installs some programs in directories that only administrators have on their PATH.
  const directories = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return directories.map((directory) => join(directory, name)).find((path) => existsSync(path));
}

/** Returns the shells for which the command line has completion and that are not installed. */
export function missingShells(): string[] {
  return ['bash', 'zsh', 'fish'].filter((shell) => !findProgram(shell));
}

const languagePrograms = { Python: 'python3', Go: 'go', Java: 'javac', PHP: 'php', Ruby: 'ruby' };

/** Returns the languages of the quick start whose programs are not installed. Node runs TypeScript. */
export function missingLanguages(): string[] {
  return Object.entries(languagePrograms).flatMap(([language, program]) => (findProgram(program) ? [] : [language]));
}

const services = fileURLToPath(new URL('../../services/', import.meta.url));

/**
 * Returns the path of Prometheus or promtool: the program that `PROMETHEUS` or `PROMTOOL` names, or else the one that was
 * unpacked as `test/services/README.md` says, or else the installed one.
 */
export function findPrometheus(name: 'prometheus' | 'promtool'): string | undefined {
  const named = process.env[name.toUpperCase()];
  if (named) return named;
  const unpacked = join(services, 'prometheus/dist', name);
  return existsSync(unpacked) ? unpacked : findProgram(name);
}

/** The program that checks the dashboard with Grafana's types. `.ci/run` builds it where Go is installed. */
export const dashboardCheck = join(services, 'grafana/dist/check-dashboard');

export const hasDashboardCheck = (): boolean => existsSync(dashboardCheck);

const debianPostgres = '/usr/lib/postgresql';

/**
 * Returns the directory of a Postgres that has all of these programs, some of which the embedded Postgres lacks: the
 * directory that `POSTGRES_BIN` names, or else Debian's latest version.
 */
export function findPostgresPrograms(wanted: readonly string[]): string | undefined {
  const versions = existsSync(debianPostgres) ? readdirSync(debianPostgres).map(Number) : [];
  const installed = versions.toSorted((a, b) => b - a).map((version) => join(debianPostgres, String(version), 'bin'));
  return [process.env.POSTGRES_BIN ?? '', ...installed].find((directory) =>
    wanted.every((program) => existsSync(join(directory, program))),
  );
}
