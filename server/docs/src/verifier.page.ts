import { type Html, html } from '../../src/kit/html.ts';
import { placeholderOf } from '../../src/pages/docs/service-values.ts';
import { sdkEntry } from './assets.ts';
import type { Page } from './page.ts';
import type { Source } from './source.ts';

export function verifierPage({ model }: Source): Page {
  const [example] = model.webhooks[0]?.body.examples.values() ?? [];
  return {
    path: '/verifier',
    title: 'Signature verifier',
    summary:
      'Paste a delivery and its secret: the code of the SDK says whether the signature is right, and if not, why.',
    markdown: `# Signature verifier

Paste a delivery and its secret: the code of the SDK says whether the signature is right, and if not, why. It runs in this
browser, and **nothing that you paste leaves this page**. [Verifying signatures](/docs/verifying-signatures) explains what it checks.`,
    tool: form(JSON.stringify(example?.value), placeholderOf('receiverCommand')),
    scripts: ['verifier.js'],
    sheets: ['verifier'],
  };
}

function form(sample: string, command: string): Html {
  return html`<p id="verifier-note" class="note">The verifier runs in the browser, so it needs JavaScript. Without JavaScript, run
<code>${command}</code>, which verifies with the same code.</p>
<form id="verifier" class="verifier" data-sdk="${sdkEntry}" autocomplete="off" hidden>
<label for="verifier-body">Raw body, exactly as you received it</label>
<textarea id="verifier-body" name="body" rows="5" spellcheck="false">${sample}</textarea>
<label for="verifier-headers">Headers, one on each line</label>
<textarea id="verifier-headers" name="headers" rows="6" spellcheck="false"></textarea>
<label for="verifier-secret">Signing secret, or both secrets of a rotation with a space between them</label>
<input id="verifier-secret" name="secret" spellcheck="false" autocapitalize="off" placeholder="whsec_…">
<p class="choices">
<label for="verifier-tolerance">Signed at most</label>
<input id="verifier-tolerance" name="tolerance" type="number" min="0" max="315360000" value="300" inputmode="numeric"> seconds from now</p>
<p class="choices">
<input id="verifier-timeless" name="timeless" type="checkbox">
<label for="verifier-timeless">If webhook-signature is missing, accept X-Service-Signature alone (<code>requireTimestamp: false</code>)</label></p>
<p class="buttons"><button type="submit" class="primary">Verify</button>
<button type="button" name="sample">Sign a new sample</button>
<button type="button" name="tamper">Change one byte of the body</button></p>
</form>
<section id="verdict" class="verdict" aria-live="polite" hidden></section>`;
}
