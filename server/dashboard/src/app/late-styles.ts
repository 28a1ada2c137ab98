/** Adds the styles of what is not drawn first to the page, once, when this module is loaded. */
import { styleNonce } from './base.ts';
import styles from './mantine-late.css?inline';

const element = document.createElement('style');
element.nonce = styleNonce;
element.textContent = styles;
document.head.append(element);
