/**
 * The rules of each card brand come from the attributes of its logo, and the messages from the attributes of each
 * field.
 */

const minNumberLength = 12;
const maxNumberLength = 19;

/** The `inputType` of typing and pasting. Autofill has another or none, and fills in the remaining fields itself. */
const typing = ['insertText', 'insertCompositionText', 'insertFromPaste'];

export function fieldsOf({ elements }) {
  return [elements.cardNumber, elements.expiry, elements.cvc, elements.cardName];
}

export function helpTyping(form) {
  const { cardNumber, expiry, cvc, cardName } = form.elements;
  for (const input of [cardNumber, expiry, cvc]) writeInAscii(input);
  groupDigits(cardNumber);
  showBrand(form);
  slashExpiry(expiry);
  keepDigits(cvc, () => codeLengthOf(form) ?? 4);
  moveToNext(cardNumber, expiry, () => codeLengthOf(form) && isWholeNumber(cardNumber));
  moveToNext(expiry, cvc, () => expiry.value.length === 'MM / YY'.length && problemOf(expiry, form) === '');
  moveToNext(cvc, cardName, () => cvc.value.length === codeLengthOf(form));
  // The customer may have typed before this script ran.
  for (const input of [cardNumber, expiry, cvc]) input.dispatchEvent(new Event('input'));
}

export function problemOf(input, form) {
  const { validity, dataset, value } = input;
  const { cardNumber, expiry, cvc } = form.elements;
  if (value.trim() === '') return dataset.missing;
  if (input === cardNumber && !isWholeNumber(input)) return dataset.mistyped;
  if (input === cvc && !isWholeCode(form)) return dataset[`wrong${codeLengthOf(form)}`] ?? dataset.wrong;
  if (!validity.valid) return dataset.wrong;
  return input === expiry && isPast(value, form.dataset.thisMonth) ? dataset.past : '';
}

export function codeLengthOf({ elements }) {
  const { codeLength } = brandOf(elements.cardNumber).dataset;
  return codeLength && Number(codeLength);
}

/** The last four bits of the character code of an Arabic, Persian or full-width digit are the value of the digit. */
function writeInAscii(input) {
  input.addEventListener('input', () => {
    const ascii = input.value.replace(
      /[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g,
      (digit) => digit.charCodeAt(0) % 16,
    );
    if (ascii === input.value) return;
    const cursor = input.selectionStart;
    input.value = ascii;
    input.setSelectionRange(cursor, cursor);
  });
}

/** Formats `4242424242424242` as `4242 4242 4242 4242` and keeps the cursor after the same digit. */
function groupDigits(input) {
  input.addEventListener('input', () => {
    const digitsBefore = digitsOf(input.value.slice(0, input.selectionStart)).slice(0, maxNumberLength);
    const groups = groupsOf(brandOf(input));
    const grouped = inGroups(digitsOf(input.value).slice(0, maxNumberLength), groups);
    if (grouped === input.value) return;
    input.value = grouped;
    const cursor = inGroups(digitsBefore, groups).length;
    input.setSelectionRange(cursor, cursor);
  });
}

function inGroups(digits, groups) {
  const pattern = new RegExp(`^${groups.map((size) => `(\\d{0,${size}})`).join('')}(\\d*)$`);
  return pattern.exec(digits).slice(1).filter(Boolean).join(' ');
}

function showBrand(form) {
  const { cardNumber } = form.elements;
  const show = () => {
    const shown = brandOf(cardNumber);
    for (const mark of marksOf(cardNumber)) mark.hidden = mark !== shown;
  };
  cardNumber.addEventListener('input', show);
  // When the customer comes back to this page, the browser may restore the typed number, so the logo is chosen again.
  addEventListener('pageshow', show);
}

/** Inserts the slash of the expiry date only when the customer types at the end of the field. */
function slashExpiry(input) {
  input.addEventListener('input', (event) => {
    if (event.inputType?.startsWith('delete') || input.selectionStart < input.value.length) return;
    const yearFirst = /^20\d\d\D*(0[1-9]|1[0-2])\s*$/.exec(input.value.trimStart());
    const given = yearFirst ? `${yearFirst[1]}${yearFirst[0].slice(2, 4)}` : input.value.trimStart();
    // A single 2 may be the beginning of a year, as in `2030-12`, so it gets no leading zero.
    const typed = given.replace(/^([3-9]$|2(?=[1-9])|[1-9](?=\D))/, '0$1');
    const [, month, year] = /^(0[1-9]|1[0-2])\D*(\d{0,4})\s*$/.exec(typed) ?? [];
    if (month) input.value = `${month} / ${year.length === 4 ? year.slice(2) : year}`;
  });
}

/**
 * A `maxlength` attribute would truncate a pasted code that contains a space before this function removes the space.
 */
function keepDigits(input, maxLength) {
  input.addEventListener('input', () => {
    const digits = digitsOf(input.value).slice(0, maxLength());
    if (digits !== input.value) input.value = digits;
  });
}

/** The focus stays when the customer types in the middle of a field, and when the next field already has a value. */
function moveToNext(input, next, isFull) {
  input.addEventListener('input', ({ inputType }) => {
    const isTypedAtEnd = typing.includes(inputType) && input.selectionStart === input.value.length;
    if (isTypedAtEnd && document.activeElement === input && next.value === '' && isFull()) next.focus();
  });
}

function isWholeNumber(input) {
  const digits = digitsOf(input.value);
  const brand = brandOf(input);
  const maxLength = groupsOf(brand).reduce((sum, size) => sum + size);
  const minLength = brand.dataset.codeLength ? maxLength : minNumberLength;
  return digits.length >= minLength && digits.length <= maxLength && passesLuhn(digits);
}

function isWholeCode({ elements }) {
  const { codeLength } = brandOf(elements.cardNumber).dataset;
  const { value, validity } = elements.cvc;
  return validity.valid && (!codeLength || value.length === Number(codeLength));
}

function passesLuhn(digits) {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

function isPast(expiry, thisMonth) {
  const digits = digitsOf(expiry).replace(/^20(\d\d)(\d\d)$/, '$2$1');
  const year = digits.slice(-2);
  const month = digits.length > 4 ? digits.slice(0, -4) : digits.slice(0, -2);
  return `20${year}-${month.padStart(2, '0')}` < thisMonth;
}

/** The last logo is a plain card and matches every number. */
function brandOf(cardNumber) {
  const digits = digitsOf(cardNumber.value);
  return marksOf(cardNumber).find(({ dataset }) => new RegExp(dataset.starts).test(digits));
}

function marksOf(cardNumber) {
  return [...cardNumber.parentElement.querySelectorAll('[data-starts]')];
}

function groupsOf({ dataset }) {
  return dataset.groups.split(' ').map(Number);
}

function digitsOf(text) {
  return text.replace(/\D/g, '');
}
