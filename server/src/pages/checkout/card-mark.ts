/** Screen readers skip the logo of a card brand, because the text beside it names the brand. */

import { type BrandRules, brandNames, type Card, cardBrands, unknownGroups } from '../../kit/card.ts';
import { type Html, html } from '../../kit/html.ts';
import type { Visit } from './visit.ts';

type CardBrand = Card['brand'];

export function cardMark({ base }: Pick<Visit, 'base'>, brand: CardBrand, attributes?: Html): Html {
  return html`<img class="card-mark" src="${base}/assets/card-${brand}.svg" width="36" height="24" alt=""${attributes}>`;
}

export function cardDescription(visit: Visit, { brand, last4 }: Card): Html {
  return html`<span class="card-in-words">${cardMark(visit, brand)} ${visit.words.html('card.ending', {
    brand: brandNames[brand] ?? visit.words.text('card.unknown'),
    last4,
    end: (ending) => html`<span>${ending}</span>`,
  })}</span>`;
}

export function typedCardMarks(visit: Visit): Html {
  return html`<span class="typed-marks" data-marks>${marks.map(([brand, rules]) =>
    cardMark(visit, brand, rules ? html`${rulesOf(rules)} hidden` : plainRules),
  )}</span>`;
}

/** The script shows the first logo whose pattern matches the number, so the plain card, which matches all, is last. */
const marks: [CardBrand, BrandRules | null][] = [
  ['visa', cardBrands.visa],
  ['mastercard', cardBrands.mastercard],
  ['amex', cardBrands.amex],
  ['unknown', null],
];

const rulesOf = ({ starts, groups, codeLength }: BrandRules) =>
  html` data-starts="${starts.source}" data-groups="${groups.join(' ')}" data-code-length="${codeLength}"`;

const plainRules = html` data-starts="" data-groups="${unknownGroups.join(' ')}"`;
