import { inRepository } from './actions.ts';
import { bundle } from './bundle.ts';

bundle(inRepository('dist'));
