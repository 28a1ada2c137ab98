import type { ReactNode } from 'react';
import mark from '../../../look/mark.svg';
import { basePath } from '../app/base.ts';

export function Brand(): ReactNode {
  return (
    <>
      <img src={mark} alt="" width="24" height="24" />
      <span>Tillhook</span>
    </>
  );
}

export function BareBar(): ReactNode {
  return (
    <header className="bar">
      <a className="brand" href={`${basePath}/dashboard`}>
        <Brand />
      </a>
      <nav aria-label="Sections" className="places">
        <a href={`${basePath}/docs`}>Docs</a>
      </nav>
    </header>
  );
}
