/**
 * What runs first. It is small and asks who is signed in, and on Home for its figures, while the script that draws the
 * dashboard is still on its way: on a slow line that is a second earlier.
 */
import './mantine.css';
import '../../../look/tokens.css';
import './global.css';
import { askAhead } from './ask-ahead.ts';

askAhead();
void import('./start.tsx');
