/**
 * Adds the styles that the first rendering does not need to the page. They are added once, when this module is
 * loaded.
 */
import { styleNonce } from './base.ts';
import styles from './mantine-late.css?inline';

const element = document.createElement('style');
element.nonce = styleNonce;
element.textContent = styles;
document.head.append(element);
