/**
 * Keeps the contract in `generated/contract.json`, parsed and with every schema checked, which takes half a second of each
 * process that would do it again. `--check` only says whether that is what would be written.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkSchemas } from './check-schemas.ts';
import { keepParsed, parseContract, parsedPath } from './read-contract.ts';
import { readModel } from './read-model.ts';

const contract = fileURLToPath(new URL('./openapi.yaml', import.meta.url));
const parsed = parsedPath(contract);
const read = parseContract(contract);
checkSchemas(read);
readModel(read);
const text = `${JSON.stringify(keepParsed(read), null, 1)}\n`;
if (!process.argv.includes('--check')) writeFileSync(parsed, text);
else if (readFileSync(parsed, 'utf8') !== text) throw new Error('generated/contract.json is out of date.');
