import { sessionCookie } from '@tillhook/openapi/rules/credentials';
import type { Response } from 'express';
import type { Context } from '../context.ts';
import { basePath } from '../kit/base-path.ts';
import { sessionLifeMs } from '../people/sessions/dashboard-session.entity.ts';
import { browserLifeMs } from '../people/sessions/known-browser.entity.ts';

const browserCookie = 'tillhook_browser';

/**
 * Over https, the cookie's name has a prefix. Browsers refuse a cookie with this prefix from a neighbouring subdomain,
 * which could otherwise give its visitors the session of an attacker. `__Host-` requires the path `/`, so the service
 * must have the whole host. Choice: over https, a cookie without the prefix is not read.
 */
export function ownCookie(publicUrl: string, name: string, folder = '/') {
  const [secure, base] = [publicUrl.startsWith('https:'), basePath(publicUrl)];
  const prefix = base + folder === '/' ? '__Host-' : '__Secure-';
  return {
    name: secure ? prefix + name : name,
    options: { httpOnly: true, sameSite: 'lax', secure, path: base + folder },
  } as const;
}

export const sessionCookieName = (publicUrl: string): string => ownCookie(publicUrl, sessionCookie).name;

interface WithCookies {
  cookies?: Record<string, unknown>;
  context: Pick<Context, 'publicUrl'>;
}

export function sessionTokenOf({ cookies, context }: WithCookies): string {
  const value = cookies?.[sessionCookieName(context.publicUrl)];
  return typeof value === 'string' ? value : '';
}

export function browserTokenOf({ cookies }: Pick<WithCookies, 'cookies'>, publicUrl: string): string | undefined {
  const value = cookies?.[ownCookie(publicUrl, browserCookie).name];
  return typeof value === 'string' && /^[\w-]{43}$/.test(value) ? value : undefined;
}

/** A sign-in also renews the cookie by which the browser is known. It stays after the sign-out. */
export function keepSession(response: Response, { publicUrl, client }: Context, token: string | null): void {
  const { name, options } = ownCookie(publicUrl, sessionCookie);
  if (token === null) {
    response.clearCookie(name, options);
    return;
  }
  response.cookie(name, token, { ...options, maxAge: sessionLifeMs });
  const known = ownCookie(publicUrl, browserCookie);
  if (client?.browserToken)
    response.cookie(known.name, client.browserToken(), { ...known.options, maxAge: browserLifeMs });
}
