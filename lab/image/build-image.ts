import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Buildah } from './buildah.ts';
import { npmSetting } from './tools.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));

export async function buildImage(buildah: Buildah, work: string): Promise<string> {
  const options = [
    // Only the image format of Docker can store the health check.
    ...['--format', 'docker', '--isolation', 'chroot', '--layers', '--pull-never'],
    ...['--secret', `id=npmrc,src=${settingsOfNpm(work)}`],
  ];
  const printed = await buildah('build', ...options, '--tag', 'tillhook', repository);
  return printed.split('\n').at(-1) ?? '';
}

/** The build gets the settings of npm as a secret, because the settings may contain a password. */
function settingsOfNpm(work: string): string {
  const file = join(work, 'npmrc');
  const own = npmSetting('userconfig');
  if (existsSync(own)) copyFileSync(own, file);
  const { NODE_EXTRA_CA_CERTS = '' } = process.env;
  const authorities = npmSetting('cafile') || NODE_EXTRA_CA_CERTS;
  const lines = [
    `registry=${npmSetting('registry')}`,
    // Certificates are passed as text, because the build cannot read the file system of this machine.
    ...(authorities ? certificatesIn(readFileSync(authorities, 'utf8')).map((text) => `ca[]="${text}"`) : []),
  ];
  writeFileSync(file, `\n${lines.join('\n')}\n`, { flag: 'a', mode: 0o600 });
  return file;
}

function certificatesIn(bundle: string): string[] {
  const found = bundle.match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs) ?? [];
  return found.map((text) => text.replaceAll('\n', '\\n'));
}
