/**
 * Without a script the form does nothing, so `docs.js` makes it visible. The field for the key has no name, so no form
 * can put the key into a URL.
 * See docs/decisions/docs.md, "A key that a reader types goes only to the chosen server".
 */
import type { Model, ModelOperation, ModelParameter } from '@tillhook/openapi';
import { type Html, html } from '../../src/kit/html.ts';
import { credentialChoices, usualBody } from './call-samples.ts';
import { typeText } from './schema-fields.ts';

/** Returns undefined when the operation takes no key, because only the dashboard calls it, with a session. */
export function tryForm(model: Model, operation: ModelOperation): Html | undefined {
  const [headers = []] = credentialChoices(model, operation);
  const credential = headers.find((header) => header.endsWith('$KEY'));
  return credential === undefined ? undefined : formOf(model, operation, credential);
}

function formOf({ servers: [_this, ...others] }: Model, operation: ModelOperation, credential: string): Html {
  const { method, path, parameters, answers, body, success } = operation;
  const [needed, optional] = [true, false].map((isNeeded) => parameters.filter((one) => one.isRequired === isNeeded));
  const shown = new Set([...answers.values()].flatMap(({ headers }) => [...headers.keys()]));
  return html`<details id="try" class="try" hidden>
<summary>Try it</summary>
<form data-method="${method.toUpperCase()}" data-path="${path}" data-credential="${credential}" data-shown="${[...shown].join(' ')}" autocomplete="off"><fieldset disabled>
<label for="try-server">Server</label>
<select id="try-server"><option value="">This server</option>${others.map(
    ({ url, description }) => html`<option value="${url}">${description.replaceAll('`', '')} ${url}</option>`,
  )}</select>
<label for="try-key">API key <small>stays in this tab of the browser</small></label>
<input id="try-key" type="password" autocomplete="off" spellcheck="false" placeholder="sk_test_…">
${needed?.map(parameterField)}
${
  optional &&
  optional.length > 0 &&
  html`<details><summary>${optional.length === 1 ? '1 optional parameter' : `${optional.length} optional parameters`}</summary>
${optional.map(parameterField)}</details>`
}
${success.csv && mediaTypeField(['application/json', 'text/csv'])}
${body && bodyField(JSON.stringify(usualBody(operation)?.value, null, 2))}
<p class="warning" role="alert" hidden></p>
<p class="buttons"><button type="submit">Send</button> <button type="button" name="stop" hidden>Stop</button></p>
</fieldset></form>
<section class="answer" hidden>
<p role="status"></p>
<dl></dl>
<figure class="code"><figcaption><span>Body</span></figcaption>
<pre tabindex="0"><code></code></pre></figure></section>
</details>
`;
}

/** The first answer format is the default. */
function mediaTypeField(mediaTypes: readonly string[]): Html {
  return html`<label for="try-accept"><code>Accept</code> <small>media type of the answer</small></label>
<select id="try-accept" data-in="header" data-name="Accept">${mediaTypes.map((one) => html`<option>${one}</option>`)}</select>`;
}

function bodyField(example: string): Html {
  const rows = Math.min(example.split('\n').length, 16);
  return html`<label for="try-body">Body</label>
<textarea id="try-body" rows="${rows}" spellcheck="false" autocapitalize="off">${example}</textarea>`;
}

function parameterField({ name, in: place, isRequired, schema, example }: ModelParameter): Html {
  const id = `try-${name}`;
  const { enum: values, type } = schema;
  const label = html`<label for="${id}"><code>${name}</code> <small>${place}</small></label>`;
  const attributes = html`data-in="${place}" data-name="${name}"${isRequired && html` required`}`;
  if (values) {
    const options = values.map((value) => html`<option>${String(value)}</option>`);
    return html`${label}<select id="${id}" ${attributes}>${!isRequired && html`<option></option>`}${options}</select>`;
  }
  const isList = type === 'array';
  const hint = isList ? 'several with commas between them' : typeText(schema).replaceAll('`', '');
  return html`${label}<input id="${id}" ${attributes}${isList && html` data-list`} value="${isRequired && String(example ?? '')}" placeholder="${isRequired ? '' : hint}" spellcheck="false">`;
}
