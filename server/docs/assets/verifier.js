// Verifies a pasted delivery in the browser and sends nothing to any server.

const verifier = document.getElementById('verifier');
const verdict = document.getElementById('verdict');
const { body, headers, secret, tolerance, timeless, sample, tamper } = verifier.elements;

const nextSteps = {
  missing_headers:
    'Paste all headers of the delivery, with webhook-id, webhook-timestamp and webhook-signature. If your receiver does not get them either, a proxy in front of it drops them, or an attacker sent an old delivery again without them.',
  wrong_signature:
    'Compare the secret with the secret of this endpoint in the dashboard, in the same mode. Paste the body as it was before your program parsed it.',
  timestamp_out_of_tolerance:
    'The signature is right, but its time is too far from now. That is normal for an old delivery: to verify it, allow more seconds above. If the delivery is new, set the clock of your machine.',
  invalid_body:
    'The signature is right, but the body is not an event of this service, which is JSON with a field `event`.',
};

const { sign, unwrap, WebhookVerificationError } = await import(`./sdk/${verifier.dataset.sdk}`);

verifier.addEventListener('submit', async (event) => {
  event.preventDefault();
  await verify();
});
sample.addEventListener('click', signSample);
tamper.addEventListener('click', async () => {
  body.value = body.value.replace(/\d/, (digit) => String((Number(digit) + 1) % 10));
  await verify();
});
await signSample();
verifier.hidden = false;
document.getElementById('verifier-note').remove();

async function signSample() {
  secret.value = `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))))}`;
  body.value = verifier.querySelector('textarea').defaultValue;
  headers.value = linesOf({ 'Content-Type': 'application/json', ...(await sign(body.value, secret.value)) });
  verdict.hidden = true;
}

async function verify() {
  const secrets = secret.value.trim().split(/\s+/);
  const options = { toleranceSeconds: Number(tolerance.value), requireTimestamp: !timeless.checked };
  try {
    const event = await unwrap(rawBody(), headersIn(headers.value), secrets, options);
    const [title, words] = [`Verified: ${event.event}`, warningOf()];
    show({ isVerified: true, title, words, code: JSON.stringify(event, null, 2) });
  } catch (error) {
    const isVerificationError = error instanceof WebhookVerificationError;
    const title = isVerificationError ? error.code : 'This cannot be verified';
    show({ isVerified: false, title, words: [error.message, nextSteps[error.code]].filter(Boolean).join(' ') });
  }
}

/** Pasting adds a line break at the end of the body. The body of a delivery never ends with a line break. */
function rawBody() {
  return body.value.replace(/\n$/, '');
}

function warningOf() {
  if (headersIn(headers.value).some(([name]) => name.toLowerCase() === 'webhook-signature')) return '';
  return 'Only X-Service-Signature was checked. It covers no time, so it does not show whether an old delivery was sent again.';
}

/** Matches each line separately, because the value of a header may be empty. */
function headersIn(lines) {
  return [...lines.matchAll(/^[ \t]*([\w-]+)[ \t]*:[ \t]*(.*?)[ \t]*$/gm)].map(([, name, value]) => [name, value]);
}

function linesOf(pairs) {
  return Object.entries(pairs)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function show({ isVerified, title, words, code = '' }) {
  verdict.className = `verdict ${isVerified ? 'verified' : 'refused'}`;
  const parts = Object.entries({ h2: title, p: words, pre: code }).filter(([, text]) => text !== '');
  verdict.replaceChildren(
    ...parts.map(([tag, textContent]) => Object.assign(document.createElement(tag), { textContent })),
  );
  // The attribute `tabindex` lets a reader scroll the element by keyboard.
  verdict.querySelector('pre')?.setAttribute('tabindex', '0');
  verdict.hidden = false;
}
