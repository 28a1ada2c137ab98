import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { isId } from '../kit/ids.ts';
import { isLoopbackName } from '../kit/loopback.ts';
import { canUsePasskeys } from '../kit/passkey-url.ts';
import { type MemberRole, memberRoles } from '../kit/permissions.ts';
import { address, flag } from './setting-values.ts';

/**
 * A person with an address of the domain may sign in, and becomes a user of this merchant with this role. Choice: no
 * person becomes an operator by an address, because an operator works with the money of every merchant.
 */
export interface CompanyDomain {
  merchantId: string;
  role: MemberRole;
}

const anItem = /^([^\s=:,]+)=([0-9a-f-]{36})(?::([a-z]+))?$/i;

const companyDomains = z.string().transform((list, { addIssue }) => {
  const items = list.split(',').map((item) => domainOf(item.trim()));
  const known = items.filter((item) => item !== null);
  if (known.length === items.length && new Set(known.map(([domain]) => domain)).size === items.length) {
    return new Map<string, CompanyDomain>(known);
  }
  addIssue(
    `must be a comma-separated list such as example.com=MERCHANT_ID:viewer, each domain once, with a role of ${memberRoles.join(', ')}`,
  );
  return z.NEVER;
});

function domainOf(item: string): [domain: string, CompanyDomain] | null {
  const [, name = '', merchantId = '', role = 'viewer'] = anItem.exec(item) ?? [];
  const domain = domainToASCII(name);
  const given = memberRoles.find((known) => known === role);
  return domain.includes('.') && isId(merchantId) && given ? [domain, { merchantId, role: given }] : null;
}

export const signInSettings = {
  PASSWORD_SIGN_IN: flag.default(true),
  OIDC_ISSUER: address({ example: 'https://login.example.com', schemes: ['https', 'http'], may: ['path'] })
    .refine(isPrivateOnItsWay, 'must be https, except on this machine')
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z
    .string()
    .regex(/^(?!.*:\/\/)[\x21-\x7e]+$/, 'must be the secret that the issuer gave to this service')
    .optional(),
  OIDC_DOMAINS: companyDomains.optional(),
  OIDC_TRUST_EMAIL: flag.default(false),
  OIDC_NAME: z
    .string()
    .trim()
    .regex(/^[^\p{C}]{1,60}$/u, 'must be a name of 60 characters at most')
    .default('your company account'),
};

type SignInSettings = z.infer<z.ZodObject<typeof signInSettings>>;

function isPrivateOnItsWay(text: string): boolean {
  const url = URL.parse(text);
  return !url || url.protocol === 'https:' || isLoopbackName(url.hostname);
}

/** Null when the operator has not set up the sign-in with company accounts. */
export function companySignInOf(given: SignInSettings) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = given;
  if (!issuer || !clientId || !clientSecret) return null;
  return {
    issuer,
    clientId,
    clientSecret,
    name: given.OIDC_NAME,
    /** Whether an address counts as verified if the issuer does not say whether it is. */
    trustsEmail: given.OIDC_TRUST_EMAIL,
    domains: given.OIDC_DOMAINS ?? new Map<string, CompanyDomain>(),
  };
}

export function signInContradictions(given: Partial<SignInSettings> & { PUBLIC_URL?: string | undefined }): string[] {
  const together = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;
  const missing = together.filter((name) => given[name] === undefined);
  const isBegun = missing.length < together.length || given.OIDC_DOMAINS !== undefined;
  const problems = isBegun ? missing.map((name) => `${name}: required with the other settings of company sign-in`) : [];
  const { PUBLIC_URL: publicUrl = '' } = given;
  const hasPasskeys = URL.canParse(publicUrl) && canUsePasskeys(publicUrl);
  if (given.PASSWORD_SIGN_IN === false && !isBegun && !hasPasskeys) {
    problems.push(
      'PASSWORD_SIGN_IN: can be false only with OIDC_ISSUER, or where passkeys work: with an https PUBLIC_URL that has a name',
    );
  }
  return problems;
}
