import { posix } from 'node:path';

/** Whether a path in the repository lies in a folder; an empty folder is the top. */
export function isInside(folder: string, path: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

/** Such as `.mdx`, in lower case; empty for none. */
function extensionOf(path: string): string {
  return posix.extname(path).toLowerCase();
}

/** Whether a file is a page or a snippet by its name. */
export function isPagePath(path: string): boolean {
  return pageExtensions.has(extensionOf(path));
}

/** Whether a file is a component, a script or a style sheet by its name. */
export function isCodePath(path: string): boolean {
  return codeExtensions.has(extensionOf(path));
}

const codeExtensions: ReadonlySet<string> = new Set(['.css', '.js', '.jsx', '.ts', '.tsx']);

/** Whether a file has no text, by its name, so that it need not be read. */
export function isBinaryPath(path: string): boolean {
  return binaryExtensions.has(extensionOf(path));
}

const pageExtensions: ReadonlySet<string> = new Set(['.md', '.mdx']);

const binaryExtensions: ReadonlySet<string> = new Set(
  [
    ['.png', '.jpg', '.jpeg', '.gif', '.webp', '.avif', '.ico', '.bmp', '.tif', '.tiff', '.heic'],
    ['.mp4', '.webm', '.mov', '.m4v', '.ogv', '.mp3', '.wav', '.ogg', '.m4a'],
    ['.pdf', '.zip', '.gz', '.tgz', '.7z', '.woff', '.woff2', '.ttf', '.otf', '.eot'],
  ].flat(),
);
