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
    return !known.hasAddress(address) && (owner !== '' || !known.hasWord(host));
  };
  const shell = text.replace(/[ \t]*[\\^`]\r?\n\s*|(?<=\|)\s+|["']\s*,\s*\[?\s*["']|[ \t]+/gu, ' ');
  const isShell = shells.test(language);
  const names = [...publishedNames(shell), ...(isShell ? foreignNames(shell) : [])];
  const scripts = shell.split('\n').filter((line) => runsOutput(line, isShell));
  return (
    addressesIn(text).find(isNew) ??
    text.match(bareHost)?.find((one) => isNew(`https://${one.replace(/:(?=\D)/u, '/')}`)) ??
    [...new Set(names)].find((one) => !known.hasWord(ownerOf(one))) ??
    scripts.find((one) => !known.hasWord(one.trim()))
  );
}

/** Languages of samples in which each line is a command. */
const shells =
  /^(?:(?:ba|z|fi)?sh(?:ell)?(?:-?session)?|shellscript|console|terminal|powershell|ps1|cmd|bat)$/iu;

/** Hosts and addresses without a scheme, as settings name them, by endings that are seldom those of a file or a field. */
const bareHost =
  /(?<![\w./$#-])(?:(?:[a-z\d-]+\.)+(?:com|net|org|io|dev|ai|app|co|cloud|xyz|eu|site|online|tech|ru|cn|de|uk|fr|br)\.?(?![\w-]|\.\w|\s*[=(])|\d{1,3}(?:\.\d{1,3}){3}(?![\w.]))(?:[/:][^\s"'`<>)\]},;]*)?/giu;

/** What only filters the output of another command, or shows it. */
const filters =
  /^(?:grep|egrep|rg|jq|yq|head|tail|wc|sort|uniq|cut|tr|less|more|tee|cat|column|base64|openssl|pbcopy|clip|findstr|Select-\w+|Where-\w+|ForEach-\w+|Format-\w+|Out-\w+|ConvertFrom-\w+)$/iu;

/** Whether a line runs what another command prints. */
function runsOutput(line: string, isShell: boolean): boolean {
  const pipes = line.split(/(?<!\|)\|&?(?!\|)/u).slice(1);
  const runs = pipes.map(
    (part) => /^\s*(?:(?:sudo|env|-\S+|\w+=\S+)\s+)*(?:\S*\/)?([\w.-]+)/u.exec(part)?.[1] ?? '',
  );
  const isRun =
    /\b(?:eval|source|iex|(?:ba|z|da|fi)?sh)\b|(?:^|[\s;&])\.\s/iu.test(line) &&
    /[<$]\(|`/u.test(line);
  return isRun || runs.some((name) => (isShell ? !filters.test(name) : interpreters.test(name)));
}

/** Programs that run what they read. */
const interpreters = /^(?:(?:ba|z|da|fi)?sh|python3?|node|perl|ruby|php|iex)$/iu;

/** Programs that fetch or run published code. */
const programs =
  'npm|npx|pnpm|pnpx|yarn|bunx?|deno|corepack|pip3?|pip(?:x|env)|easy_install|uvx?|poetry|pdm|rye|pixi|hatch|(?:micro)?(?:conda|mamba)|gem|bundle|cargo|go|composer|dotnet|nuget|brew|apt|apt-get|yum|dnf|zypper|snap|flatpak|port|choco|scoop|winget|apk|pacman|emerge|nix(?:-\\w+)?|cpanm?|luarocks|opam|rustup|vcpkg|flutter|dart|mise|asdf|volta|(?:docker|podman|nerdctl)(?: (?:image|container))? (?:run|pull|create)|helm|ollama|hf|huggingface-cli|Install-\\w+|git (?:clone|submodule|remote)|gh (?:repo|extension)|(?:claude|codex) (?:mcp|plugin)|code --\\w+-\\w+';

/** At the beginning of a line or a text, behind another command, or behind the name of a field. */
const command = new RegExp(
  `(?:^|[|;&("'\`:$#>{-]|\\brun\\b) *(?:(?:sudo|RUN|env|exec|time|\\w+=\\S+) )*(?:${programs})((?: [^\\s|;&<>()]+)+)`,
  'gimu',
);

/** Programs, and what they are told to do. Packages with these names exist, and nobody can take them. */
const verbs =
  /^(?:(?:ba)?sh|npm|npx|apk|apt|apt-get|pip3?|uvx?|python3?|node|docker|install|i|add|run|exec|x|dlx|get|create|init|new|pull|push|build|test|start|dev|ci|update|upgrade|remove|uninstall|list|publish|login|tap|require|global|tool|pip|extension|mcp|plugin|server|image|repo|package)$/iu;

/** The same in any program that nobody has thought of. */
const installing =
  /(?<![\w.-])[\w.-]+(?: [\w-]+)? (?:--)?(?:install|pull|dlx)(?:-extension)?((?: [^\s|;&<>()]+)+)/giu;

/** Commands that take an address without its scheme. */
const requesting = /\b(?:curl|wget|iwr|irm)((?: +[^\s|;&<>()]+)+)/giu;

/** Their options that name a file. */
const fileOption =
  / (?:-[odFTbcKE]|--(?:output|data[\w-]*|form|upload-file|cookie[\w-]*|config|cert|key|cacert))[ =]?\S+/gu;

/** The arguments of a command, or what a package depends on, in settings of tools: JSON, TOML or YAML. */
const listed =
  /\b(?:args|\w*dependencies)["']? ?[:=]\s?(\[[^\]]{0,2000}\]|\{[^{}]{0,2000}\}|(?:\r?\n? ?- .*)+)/giu;

/** An action, or an image that has an owner. */
const pulled =
  /\b(?:image|uses|from|source|repo(?:sitory)?|extends|syntax)["']? ?[:=] ?(?:>-?\s+)?["']?(?:github:)?([\w@.-]+\/[^\s"']*)/gu;

/** Their names stand between these, and in front of the versions that a package depends on. */
const separators = /[\s"',[\]{}]+|(?:[<>=~^!]|\blatest\b)[^\s"',]*/u;

/** The packages, images, repositories and hosts that commands name, as they are written. */
function publishedNames(shell: string): readonly string[] {
  const wordsAfter = (pattern: RegExp, separator = /[ =]/u, others = /^$/gu) =>
    [...shell.matchAll(pattern)]
      .flatMap(([, words = '']) => words.replace(others, '').split(separator))
      .map(withoutVersion);
  return [
    ...[
      ...[command, installing, pulled].flatMap((pattern) => wordsAfter(pattern)),
      ...wordsAfter(listed, separators),
    ].filter((name) => /\p{L}/u.test(name) && !noPackage.test(name) && !verbs.test(name)),
    ...wordsAfter(requesting, / /u, fileOption).filter((name) => hostWithoutScheme.test(name)),
  ];
}

/** What any program can take for a repository, an image or a user of another host: `owner/name`, `user@host`. */
function foreignNames(shell: string): readonly string[] {
  const lines = shell.split('\n').filter((line) => !/^\s*#/u.test(line));
  const words = lines.flatMap((line) => line.split(/[\s"'`=,;|&()<>{}[\]]+/u).map(withoutVersion));
  return words.filter(
    (word) =>
      /^[\w.-]*\p{L}[\w.:-]*[/@]\S/u.test(word) &&
      !(noPackage.test(word) || /:\/\/[^/]*@/u.test(word)) &&
      // A registry that readers fill in, such as `registry.example.com/acme/image`.
      !(/^[\w-]+\./u.test(word) && publisherOf(`https://${word}`) === undefined),
  );
}

/** An option, a path, an address, or what readers fill in. */
const noPackage = /^(?:-[^=]*|[./~].*|https?:\/\/.*|\$\w+|\$?\{[\w -]*\})$/iu;

/** A host or an IP address as `curl` takes it, and no name of a file. */
const hostWithoutScheme =
  /^(?![^/]*\.(?:json|ya?ml|txt|tar|gz|tgz|csv|pdf|png|jpe?g|mp3|wav|mp4|html)$)(?:https?:)?(?:[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}|\d+(?:\.\d+){3})(?:[:/]\S*)?$/u;

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
