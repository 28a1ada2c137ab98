/**
 * Keeps the contract parsed in `generated/contract.json`, because it takes a process a third of a second to parse the yaml.
 * `--check` only says whether that is what would be written.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseContract, parsedPath } from './read-contract.ts';

const contract = fileURLToPath(new URL('./openapi.yaml', import.meta.url));
const parsed = parsedPath(contract);
const text = `${JSON.stringify(parseContract(contract), null, 1)}\n`;
if (!process.argv.includes('--check')) writeFileSync(parsed, text);
else if (readFileSync(parsed, 'utf8') !== text) throw new Error('generated/contract.json is out of date.');
