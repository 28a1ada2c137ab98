/** The dashboard shows a button only to users whose role may call its operation. */
import { readFileSync, writeFileSync } from 'node:fs';
import { readContract } from '../model/read-contract.ts';

const file = new URL('../../server/dashboard/src/generated/allowed-roles.ts', import.meta.url);
const changes = readContract().model.operations.filter(({ method, roles }) => method !== 'get' && roles.length > 0);
const lines = changes.map(({ id, roles }) => `  ${id}: [${roles.map((role) => `'${role}'`).join(', ')}],`);
const text = `/** Made from openapi/openapi.yaml by \`npm run generate\`; not edited by hand. */
export const allowedRoles = {
${lines.sort().join('\n')}
} as const;
`;
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) throw new Error('generated/allowed-roles.ts is out of date.');
