import {
  type Code,
  consumeLineEnd,
  dollar,
  type Extension,
  isLineEnd,
  type State,
  type Tokenize,
} from './page-math-codes.ts';
import { tokenizeFlow } from './page-math-flow.ts';

/**
 * Formulas between dollars, as Mintlify reads them: their braces are no expressions. Without this,
 * `$\frac{a}{b}$` would be a page that does not parse. They become inline and fenced code.
 */
export function math(): Extension {
  return {
    text: {
      [dollar]: { name: 'codeText', tokenize: tokenizeText, previous: (code) => code !== dollar },
    },
    flow: { [dollar]: { name: 'codeFenced', tokenize: tokenizeFlow, concrete: true } },
  };
}

/** `$a$` and `$$a$$` within a paragraph; lines may break in them. */
const tokenizeText: Tokenize = (effects, ok, nok) => {
  let opened = 0;
  let closing = 0;

  return function start(code) {
    effects.enter('codeText');
    effects.enter('codeTextSequence');
    return open(code);
  };

  function open(code: Code): State | undefined {
    if (code === dollar) {
      effects.consume(code);
      opened += 1;
      return open;
    }
    effects.exit('codeTextSequence');
    return between(code);
  }

  function between(code: Code): State | undefined {
    if (code === null) {
      return nok(code);
    }
    if (isLineEnd(code)) {
      consumeLineEnd(effects, code);
      return between;
    }
    if (code === dollar) {
      closing = 0;
      effects.enter('codeTextSequence');
      return close(code);
    }
    effects.enter('codeTextData');
    return data(code);
  }

  function data(code: Code): State | undefined {
    if (code === null || code === dollar || isLineEnd(code)) {
      effects.exit('codeTextData');
      return between(code);
    }
    effects.consume(code);
    return data;
  }

  function close(code: Code): State | undefined {
    if (code === dollar) {
      effects.consume(code);
      closing += 1;
      return close;
    }
    const token = effects.exit('codeTextSequence');
    if (closing === opened) {
      effects.exit('codeText');
      return ok(code);
    }
    token.type = 'codeTextData';
    return between(code);
  }
};
