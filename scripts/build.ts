import { inRepository } from './actions.ts';
import { bundle } from './bundle.ts';

await bundle(inRepository('dist'));
