import { join } from 'node:path';
import { bundle, repositoryFolder } from './bundle.ts';

bundle(join(repositoryFolder, 'dist'));
