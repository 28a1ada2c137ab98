/** A browser without a screen: it keeps cookies for each host, and follows redirects one by one. */
import type { TestServer } from '../server/tillhook.ts';

export class Visitor {
  private readonly jars = new Map<string, Map<string, string>>();

  async ask(url: string, form?: Record<string, string>): Promise<Response> {
    const jar = this.jarOf(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  cookies(url: string): ReadonlyMap<string, string> {
    return this.jarOf(url);
  }

  addCookie(url: string, name: string, value: string): void {
    this.jarOf(url).set(name, value);
  }

  /** Signs in at the issuer, and returns the URL of the service to which the issuer then leads. */
  async goToIssuer({ url }: TestServer, who: string, from = '/test/payments'): Promise<string> {
    let at = `${url}/dashboard/oidc/start?from=${encodeURIComponent(from)}`;
    for (let step = 0; step < 20; step += 1) {
      const response = await this.ask(at);
      const location = response.headers.get('location');
      if (location) at = new URL(location, at).href;
      if (at.startsWith(url) && step > 0) return at;
      if (location) continue;
      const page = await response.text();
      const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
      if (!action || !prompt) throw new Error(`The issuer shows no form: ${response.status} ${page.slice(0, 500)}`);
      const posted = await this.ask(new URL(action, at).href, { prompt, login: who, password: 'any' });
      at = new URL(posted.headers.get('location') ?? '', at).href;
    }
    throw new Error('The issuer redirects without an end.');
  }

  /** Returns the path and the query to which the service leads in the end. */
  async signIn(server: TestServer, who: string, from?: string): Promise<string> {
    return this.open(await this.goToIssuer(server, who, from));
  }

  async open(url: string): Promise<string> {
    return (await this.ask(url)).headers.get('location') ?? '';
  }

  private jarOf(url: string): Map<string, string> {
    const { hostname } = new URL(url);
    const jar = this.jars.get(hostname) ?? new Map<string, string>();
    this.jars.set(hostname, jar);
    return jar;
  }
}
