/**
 * The cookie that holds a session's token. No script can read it, and no form of another site can send it.
 */
import { sessionCookie } from '@tillhook/openapi/rules/credentials';
import type { Response } from 'express';
import type { Context } from '../context.ts';
import { basePath } from '../kit/base-path.ts';
import { sessionLifeMs } from '../people/sessions/dashboard-session.entity.ts';

/**
 * The name of the cookie. Over https, the name has a prefix, which makes browsers refuse a cookie of this name from
 * another host or an unencrypted page. Without the prefix, a page of a neighbouring host could give its visitor the
 * session of an attacker. Choice: over https, only the name with the prefix is read, because otherwise the prefix
 * would protect nothing. `__Host-` is possible only when the service has the whole host, because this prefix requires
 * the path `/`.
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

/** Sets the cookie to the token. With null, removes the cookie from the browser. */
export function keepSession(response: Response, { publicUrl }: Context, token: string | null): void {
  const secure = publicUrl.startsWith('https:');
  const options = { httpOnly: true, sameSite: 'lax', secure, path: `${basePath(publicUrl)}/` } as const;
  const name = sessionCookieName(publicUrl);
  if (token === null) response.clearCookie(name, options);
  else response.cookie(name, token, { ...options, maxAge: sessionLifeMs });
}
