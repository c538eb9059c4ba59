/** A workflow command that an action printed, such as `::warning title=x::text`. */
interface WorkflowCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

/** A line of the log, as the page of a run shows it. */
export interface LogLine {
  readonly kind: 'text' | 'group' | 'notice' | 'warning' | 'error';
  readonly text: string;
  /** 1 for lines between `::group::` and `::endgroup::`. */
  readonly depth: 0 | 1;
}

/**
 * Parses a line like the runner: a command is `::name key=value,key=value::message` at the start of a
 * line, or in the old form `##[name key=value;key=value]message` anywhere in a line.
 */
export function parseCommand(line: string): WorkflowCommand | undefined {
  const current = /^\s*::([a-z-]+)(?: ([^:]*))?::(.*)$/is.exec(line);
  const old = /##\[([a-z-]+)(?: ([^\]]*))?\](.*)$/is.exec(line);
  const [, name, list = '', message = ''] = current ?? old ?? [];
  if (name === undefined) {
    return undefined;
  }
  const properties = list.split(current === null ? ';' : ',').flatMap((pair) => {
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
 * Renders an action's output like the page of a run: groups, annotations and plain lines, without
 * debug lines, and with `***` instead of secrets that were masked before.
 *
 * @returns A function from a line of output to the lines to show.
 */
export function logView(): (line: string) => LogLine[] {
  const masks = new Set<string>();
  let depth: LogLine['depth'] = 0;

  function masked(text: string): string {
    // Longer secrets first, because a shorter one may be part of them.
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
