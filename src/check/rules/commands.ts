import { posix } from 'node:path';
import { addressesIn, type Known, publisherOf } from '../docs/known.ts';

/**
 * The first thing that code in a page fetches or runs, and that nobody has looked at yet: a host, a package, an image,
 * an action, a repository, or a script. `undefined` if the docs named all of them before.
 *
 * @param language of the sample; empty for code in a sentence
 */
export function newNameIn(text: string, language: string, known: Known): string | undefined {
  const isNew = (address: string) => {
    const { host = address, owner = '' } = publisherOf(address) ?? {};
    // The docs may name a host without a scheme, too, such as `ghcr.io/acme`.
    const name = owner === '' ? host : posix.join(host, owner);
    return !(known.hasAddress(address) || known.hasWord(name));
  };
  // A command goes on behind the end of its line, and in the next item of a list.
  const shell = text.replace(/[ \t]*[\\^`]\r?\n\s*|(?<=\|)\s+|["']\s*,\s*\[?\s*["']|[ \t]+/gu, ' ');
  const isShell = shells.test(language);
  const names = [...namesIn(shell), ...(isShell ? foreignNamesIn(shell) : [])];
  return (
    addressesIn(text).find(isNew) ??
    text.match(bareHost)?.find((one) => isNew(`https://${one.replace(/:(?=\D)/u, '/')}`)) ??
    [...new Set(names)].find((one) => !known.hasWord(ownerOf(one))) ??
    shell.split('\n').find((line) => runsOutput(line, isShell) && !known.hasWord(line.trim()))
  );
}

/** Languages of samples in which each line is a command. */
const shells =
  /^(?:(?:ba|z|fi)?sh(?:ell)?(?:-?session)?|shellscript|console|terminal|powershell|ps1|cmd|bat)$/iu;

/** Addresses without a scheme, as settings name them, by endings that are seldom those of a file or a field. */
const bareHost =
  /(?<![\w./$#-])(?:(?:[a-z\d-]+\.)+(?:com|net|org|io|dev|ai|app|co|cloud|xyz|eu|site|online|tech|ru|cn|de|uk|fr|br)\.?(?![\w-]|\.\w|\s*[=(])|\d{1,3}(?:\.\d{1,3}){3}(?![\w.]))(?:[/:][^\s"'`<>)\]},;]*)?/giu;

/** Programs that fetch or run published code. */
const programs = [
  'npm npx pnpm pnpx yarn bun bunx deno corepack',
  'pip pip3 pipx pipenv easy_install uv uvx poetry pdm rye pixi hatch conda mamba micromamba',
  'gem bundle cargo rustup go composer dotnet nuget cpan cpanm luarocks opam vcpkg flutter dart',
  'brew apt apt-get yum dnf zypper snap flatpak port apk pacman emerge nix nix-env nix-shell',
  'choco scoop winget Install-Module Install-Package Install-Script mise asdf volta',
  'helm ollama hf huggingface-cli',
].flatMap((line) => line.split(' '));

/** The same, of programs that do much else. */
const subcommands = [
  '(?:docker|podman|nerdctl)(?: (?:image|container))? (?:run|pull|create)',
  'git (?:clone|submodule|remote)',
  'gh (?:repo|extension)',
  '(?:claude|codex) (?:mcp|plugin)',
  'code --\\w+-\\w+',
];

/** The words of such a command, at the beginning of a line, behind another command, or behind the name of a field. */
const command = new RegExp(
  `(?:^|[|;&("'\`:$#>{-]|\\brun\\b) *(?:(?:sudo|RUN|env|exec|time|\\w+=\\S+) ){0,5}(?:${[...programs, ...subcommands].join('|')})((?: [^\\s|;&<>()]+)+)`,
  'gimu',
);

/** The same of any program that nobody has thought of. */
const installing =
  /(?<![\w.-])[\w.-]+(?: [\w-]+)? (?:--)?(?:install|pull|dlx)(?:-extension)?((?: [^\s|;&<>()]+)+)/giu;

/** What programs are told to do. Packages with these names exist, too, and nobody can take them. */
const verbs =
  'install i add run exec x dlx get create init new pull push build test start dev ci update upgrade remove uninstall list publish login tap require global tool extension mcp plugin server image repo package sh bash node python python3 docker';

/** No names of packages. */
const ordinary = new Set([...programs, ...verbs.split(' ')]);

/** An option, a path, an address, or what readers fill in. */
const noPackage = /^(?:-[^=]*|[./~].*|https?:\/\/.*|\$\w+|\$?\{[\w -]*\}|[^\p{L}]*)$/iu;

/** Commands that take an address without its scheme. */
const requesting = /\b(?:curl|wget|iwr|irm)((?: +[^\s|;&<>()]+)+)/giu;

/** Their options that name a file. */
const fileOption =
  / (?:-[odFTbcKE]|--(?:output|data[\w-]*|form|upload-file|cookie[\w-]*|config|cert|key|cacert))[ =]?\S+/gu;

/** A host or an IP address as they take it, and no name of a file. */
const hostWithoutScheme =
  /^(?![^/]*\.(?:json|ya?ml|txt|tar|gz|tgz|csv|pdf|png|jpe?g|mp3|wav|mp4|html)$)(?:https?:)?(?:[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}|\d+(?:\.\d+){3})(?:[:/]\S*)?$/u;

/** The arguments of a command, or what a package depends on, in settings of tools: JSON, TOML or YAML. */
const listed =
  /\b(?:args|\w*dependencies)["']? ?[:=]\s?(\[[^\]]{0,2000}\]|\{[^{}]{0,2000}\}|(?:\r?\n? ?- .*)+)/giu;

/** Their names stand between these, and in front of the versions that a package depends on. */
const separators = /[\s"',[\]{}]+|(?:[<>=~^!]|\blatest\b)[^\s"',]*/u;

/** An action, a module, or an image that has an owner. */
const pulled =
  /\b(?:image|uses|from|source|repo(?:sitory)?|extends|syntax)["']? ?[:=] ?(?:>-?\s+)?["']?(?:github:)?([\w@.-]+\/[^\s"']*)/gu;

/** The packages, images, repositories and hosts that commands and settings name, as they are written. */
function namesIn(shell: string): readonly string[] {
  const wordsAfter = (pattern: RegExp) =>
    [...shell.matchAll(pattern)].map(([, words = '']) => words);
  const words = [command, installing, pulled].flatMap(wordsAfter);
  const packages = [
    ...words.flatMap((part) => part.split(/[ =]/u)),
    ...wordsAfter(listed).flatMap((part) => part.split(separators)),
  ];
  const requests = wordsAfter(requesting).flatMap((part) =>
    part.replace(fileOption, '').split(' '),
  );
  return [
    ...packages
      .map(withoutVersion)
      .filter((one) => !(noPackage.test(one) || ordinary.has(one.toLowerCase()))),
    ...requests.map(withoutVersion).filter((one) => hostWithoutScheme.test(one)),
  ];
}

/** What any program can take for a repository, an image or a user of another host: `owner/name`, `user@host`. */
function foreignNamesIn(shell: string): readonly string[] {
  const lines = shell.split('\n').filter((line) => !/^\s*#/u.test(line));
  const words = lines.flatMap((line) => line.split(/[\s"'`=,;|&()<>{}[\]]+/u).map(withoutVersion));
  const isFilledIn = (word: string) =>
    // A registry that readers have themselves, such as `registry.example.com/acme/image`, or a password.
    (/^[\w-]+\./u.test(word) && publisherOf(`https://${word}`) === undefined) ||
    /:\/\/[^/]*@/u.test(word);
  return words.filter((word) => {
    const [owner = '', name] = word.split(/[/@]/u, 2);
    const isName = name !== undefined && /\p{L}/u.test(owner) && /^[\w.:-]+$/u.test(owner);
    return isName && !noPackage.test(word) && !isFilledIn(word);
  });
}

/** What filters what another command prints, or shows it. */
const filters =
  /^(?:[ef]?grep|rg|jq|yq|head|tail|wc|sort|uniq|cut|tr|less|more|tee|cat|column|base64|openssl|pbcopy|clip|findstr|(?:Select|Where|ForEach|Format|Out|ConvertFrom)-\w+)$/iu;

/** Programs that run what they read. */
const interpreters = /^(?:(?:ba|z|da|fi)?sh|python3?|node|perl|ruby|php|iex)$/iu;

/** Whether a line runs what another command prints. */
function runsOutput(line: string, isShell: boolean): boolean {
  const [, ...readers] = line.split(/(?<!\|)\|&?(?!\|)/u);
  const names = readers.map(
    (part) => /^\s*(?:(?:sudo|env|-\S+|\w+=\S+)\s+)*(?:\S*\/)?([\w.-]+)/u.exec(part)?.[1] ?? '',
  );
  const isRun =
    /\b(?:eval|source|iex|(?:ba|z|da|fi)?sh)\b|(?:^|[\s;&])\.\s/iu.test(line) &&
    /[<$]\(|`/u.test(line);
  return isRun || names.some((name) => (isShell ? !filters.test(name) : interpreters.test(name)));
}

/** Whoever publishes `@acme/a` or `github.com/acme/a` publishes what else begins so. */
export function ownerOf(word: string): string {
  return /^(?:@|[\w-]+\.\w+\/)?[\w-]{3,}\//u.exec(word)?.[0] ?? word;
}

/** A name without quotes and version. */
function withoutVersion(word: string): string {
  return word
    .replace(/^(?:--url=)?["'`]?(?:(?:npm|jsr):)?|["'`,)\]}]+$/gu, '')
    .replace(/(?<=.)@[\w.^~-]+$|(?<=\w):[\w.-]+$|(?<=\w)(?:\[.*|[=~<>!^].*)$/u, '');
}
