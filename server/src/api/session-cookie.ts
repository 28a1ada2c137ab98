import { sessionCookie } from '@tillhook/openapi/rules/credentials';
import type { Response } from 'express';
import type { Context } from '../context.ts';
import { basePath } from '../kit/base-path.ts';
import { sessionLifeMs } from '../people/sessions/dashboard-session.entity.ts';

/**
 * Over https, the cookie's name has a prefix. Browsers refuse a cookie with this prefix from a neighbouring subdomain,
 * which could otherwise give its visitors the session of an attacker. `__Host-` requires the path `/`, so the service
 * must have the whole host. Choice: over https, a cookie without the prefix is not read.
 */
export function sessionCookieName(publicUrl: string): string {
  if (!publicUrl.startsWith('https:')) return sessionCookie;
  return basePath(publicUrl) === '' ? `__Host-${sessionCookie}` : `__Secure-${sessionCookie}`;
}

interface WithCookies {
  cookies?: Record<string, unknown>;
  context: Pick<Context, 'publicUrl'>;
}

export function sessionTokenOf({ cookies, context }: WithCookies): string {
  const value = cookies?.[sessionCookieName(context.publicUrl)];
  return typeof value === 'string' ? value : '';
}

export function keepSession(response: Response, { publicUrl }: Context, token: string | null): void {
  const secure = publicUrl.startsWith('https:');
  const options = { httpOnly: true, sameSite: 'lax', secure, path: `${basePath(publicUrl)}/` } as const;
  const name = sessionCookieName(publicUrl);
  if (token === null) response.clearCookie(name, options);
  else response.cookie(name, token, { ...options, maxAge: sessionLifeMs });
}
