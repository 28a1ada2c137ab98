import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../kit/mode.ts';

const StorefrontSchema = defineEntity({
  name: 'Storefront',
  properties: {
    merchantId: p.uuid().primary(),
    mode: p.text().$type<Mode>().primary(),
    /** Another one after every change of a product, given by the database. */
    version: p.uuid(),
  },
});

/** The products of one merchant in one mode, as a whole. There is none before the first product. */
export class Storefront extends StorefrontSchema.class {}
StorefrontSchema.setClass(Storefront);
