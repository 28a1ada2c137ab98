import type { ReactNode } from 'react';
import mark from '../../../look/mark.svg';
import { basePath } from '../app/base.ts';

/** The mark and the name of the service, as the documentation has them too. */
export function Brand(): ReactNode {
  return (
    <>
      <img src={mark} alt="" width="24" height="24" />
      <span>Tillhook</span>
    </>
  );
}

/** The bar of pages that are shown without the shell, for example before the sign-in. */
export function BareBar(): ReactNode {
  return (
    <header className="bar">
      <a className="brand" href={`${basePath}/dashboard`}>
        <Brand />
      </a>
      <nav aria-label="Places" className="places">
        <a href={`${basePath}/docs`}>Docs</a>
      </nav>
    </header>
  );
}
