/** `npm run contract:diff` fails when a change breaks existing clients or needs a higher version number. */
import { fileURLToPath } from 'node:url';
import { type Contract, readContractFrom } from '../model/read-contract.ts';
import { compareContracts } from './compare-contracts.ts';

try {
  const { stdout } = await compareContracts(contractIn('../released/openapi.yaml'), contractIn('../openapi.yaml'), [
    '--check-version',
  ]);
  process.stdout.write(stdout);
} catch (error) {
  const { stdout = '', stderr = String(error) } = Object(error);
  process.stderr.write(`${stdout}${stderr}`);
  process.exitCode = 1;
}

function contractIn(file: string): Contract {
  return readContractFrom(fileURLToPath(new URL(file, import.meta.url)));
}
