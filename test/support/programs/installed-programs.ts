import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export function findProgram(name: string, variable?: string): string | undefined {
  const named = variable && process.env[variable];
  if (named) return named;
  // Debian installs some programs in directories that only administrators have on their PATH.
  const directories = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return directories.map((directory) => join(directory, name)).find((path) => existsSync(path));
}

export function missingShells(): string[] {
  return ['bash', 'zsh', 'fish'].filter((shell) => !findProgram(shell));
}

const languagePrograms = { Python: 'python3', Go: 'go', Java: 'javac', PHP: 'php', Ruby: 'ruby' };

/** TypeScript is never missing, because it needs only Node. */
export function missingLanguages(): string[] {
  return Object.entries(languagePrograms).flatMap(([language, program]) => (findProgram(program) ? [] : [language]));
}

const services = fileURLToPath(new URL('../../services/', import.meta.url));

export function findPrometheus(name: 'prometheus' | 'promtool'): string | undefined {
  const named = process.env[name.toUpperCase()];
  if (named) return named;
  const unpacked = join(services, 'prometheus/dist', name);
  return existsSync(unpacked) ? unpacked : findProgram(name);
}

/** `.ci/run` builds this program if Go is installed. */
export const dashboardCheck = join(services, 'grafana/dist/check-dashboard');

export const hasDashboardCheck = (): boolean => existsSync(dashboardCheck);

const debianPostgres = '/usr/lib/postgresql';

/** The embedded Postgres lacks some of the programs that tests need. */
export function findPostgresPrograms(wanted: readonly string[]): string | undefined {
  const versions = existsSync(debianPostgres) ? readdirSync(debianPostgres).map(Number) : [];
  const installed = versions.toSorted((a, b) => b - a).map((version) => join(debianPostgres, String(version), 'bin'));
  return [process.env.POSTGRES_BIN ?? '', ...installed].find((directory) =>
    wanted.every((program) => existsSync(join(directory, program))),
  );
}
