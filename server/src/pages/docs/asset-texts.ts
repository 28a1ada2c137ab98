import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { lookFolder } from '../../kit/look.ts';
import type { PortalText } from './portal.ts';
import { sdkModules } from './sdk-modules.ts';

const folders = [lookFolder, `${import.meta.dirname}/assets`];
const types: Record<string, PortalText['type']> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};

/** The style sheets, scripts and pictures of the pages, and the modules of the SDK, each by its path below `/docs/assets`. */
export function assetTexts(): Map<string, PortalText> {
  const texts = new Map<string, PortalText>();
  for (const folder of folders) {
    for (const file of readdirSync(folder)) {
      const type = types[extname(file)];
      if (type) texts.set(`/${file}`, { type, text: withTokens(readFileSync(`${folder}/${file}`, 'utf8')) });
    }
  }
  for (const [file, text] of sdkModules()) texts.set(`/sdk/${file}`, { type: 'text/javascript', text });
  return texts;
}

/**
 * A picture cannot read the style sheets of its page, so the tokens are written into it.
 * See docs/decisions/look.md, "A picture of the documentation is two files that contain the colours".
 */
function withTokens(text: string): string {
  return text.replace('/* tokens.css */', () => readFileSync(`${lookFolder}/tokens.css`, 'utf8'));
}
