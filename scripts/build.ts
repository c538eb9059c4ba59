import { join } from 'node:path';
import { bundle, repositoryFolder } from './bundle.ts';

await bundle(join(repositoryFolder, 'dist'));
