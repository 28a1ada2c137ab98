/** Without the parsed `generated/contract.json`, each process would spend half a second on parsing the contract. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkSchemas } from '../model/check-schemas.ts';
import { keepParsed, parseContract, parsedPath } from '../model/read-contract.ts';
import { readModel } from '../model/read-model.ts';

const contract = fileURLToPath(new URL('../openapi.yaml', import.meta.url));
const parsed = parsedPath(contract);
const read = parseContract(contract);
checkSchemas(read);
readModel(read);
const text = `${JSON.stringify(keepParsed(read), null, 1)}\n`;
if (!process.argv.includes('--check')) writeFileSync(parsed, text);
else if (readFileSync(parsed, 'utf8') !== text) throw new Error('generated/contract.json is out of date.');
