/** A workflow command that an action printed, such as `::warning title=x::text`. */
export interface WorkflowCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

/** One line of the log as the page of a run shows it. */
export interface LogLine {
  readonly kind: 'text' | 'group' | 'notice' | 'warning' | 'error';
  readonly text: string;
  /** Lines between `::group::` and `::endgroup::` stand below the group's title. */
  readonly depth: 0 | 1;
}

/**
 * Reads a line as the runner does: `::name key=value,key=value::message` at its start, or the old
 * `##[name key=value;key=value]message` anywhere in it.
 */
export function parseCommand(line: string): WorkflowCommand | undefined {
  const now = /^\s*::([a-z-]+)(?: ([^:]*))?::(.*)$/is.exec(line);
  const old = /##\[([a-z-]+)(?: ([^\]]*))?\](.*)$/is.exec(line);
  const [, name, list = '', message = ''] = now ?? old ?? [];
  if (name === undefined) {
    return undefined;
  }
  const properties = list.split(now === null ? ';' : ',').flatMap((pair) => {
    const [, key, value = ''] = /^\s*([^=]+)=(.*)$/s.exec(pair) ?? [];
    return key === undefined ? [] : [[key, decodeProperty(value)]];
  });
  return {
    name: name.toLowerCase(),
    properties: Object.fromEntries(properties),
    message: decode(message),
  };
}

/**
 * Shows an action's output as the page of a run does: groups, annotations and plain lines, without
 * debug lines, and with `***` for everything masked before.
 *
 * @returns A function that takes one line, without its end, and gives what is to be shown.
 */
export function logView(): (line: string) => LogLine[] {
  const masks = new Set<string>();
  let depth: LogLine['depth'] = 0;

  function masked(text: string): string {
    // Longer secrets first, lest a shorter one that is part of them breaks them up.
    const secrets = [...masks].sort((a, b) => b.length - a.length);
    return secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
  }

  function show(kind: LogLine['kind'], text: string): LogLine[] {
    return masked(text)
      .split('\n')
      .map((line) => ({ kind, text: line, depth }));
  }

  return (line) => {
    const command = parseCommand(line);
    switch (command?.name) {
      case undefined:
        return show('text', line);
      case 'add-mask':
        for (const secret of command?.message.split(/\r\n|\r|\n/) ?? []) {
          if (secret !== '') masks.add(secret);
        }
        return [];
      case 'group': {
        depth = 0;
        const title = show('group', command?.message ?? '');
        depth = 1;
        return title;
      }
      case 'endgroup':
        depth = 0;
        return [];
      case 'debug':
        return [];
      case 'notice':
      case 'warning':
      case 'error':
        return show(command.name, titled(command));
      default:
        return show('text', line);
    }
  };
}

function titled({ properties, message }: WorkflowCommand): string {
  const title = properties['title'];
  return title === undefined ? message : `${title}: ${message}`;
}

function decodeProperty(text: string): string {
  return decode(text.replaceAll('%3A', ':').replaceAll('%2C', ','));
}

function decode(text: string): string {
  return text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
}
