import {
  type Code,
  consumeLineEnd,
  dollar,
  type Effects,
  isLineEnd,
  isSpace,
  type State,
  type Tokenize,
} from './page-math-codes.ts';

/** `$$` on a line of its own, up to the next such line; blank lines may stand between them. */
export const tokenizeFlow: Tokenize = function (effects, ok, nok) {
  const { parser } = this;
  const now = () => this.now().line;
  let opened = 0;

  return function start(code) {
    effects.enter('codeFenced');
    effects.enter('codeFencedFence');
    effects.enter('codeFencedFenceSequence');
    return open(code);
  };

  function open(code: Code): State | undefined {
    if (code === dollar) {
      effects.consume(code);
      opened += 1;
      return open;
    }
    if (opened < 2) {
      return nok(code);
    }
    effects.exit('codeFencedFenceSequence');
    return meta(code);
  }

  function meta(code: Code): State | undefined {
    if (code === null || isLineEnd(code)) {
      effects.exit('codeFencedFence');
      return atLineEnd(code);
    }
    if (code === dollar) {
      return nok(code);
    }
    effects.enter('whitespace');
    return metaData(code);
  }

  function metaData(code: Code): State | undefined {
    if (code === null || code === dollar || isLineEnd(code)) {
      effects.exit('whitespace');
      return meta(code);
    }
    effects.consume(code);
    return metaData;
  }

  function atLineEnd(code: Code): State | undefined {
    return code === null
      ? after(code)
      : effects.check({ tokenize: nextLine, partial: true }, atFence, after)(code);
  }

  function atFence(code: Code): State | undefined {
    return effects.attempt({ tokenize: closingFence, partial: true }, after, lineStart)(code);
  }

  function lineStart(code: Code): State | undefined {
    consumeLineEnd(effects, code);
    return content;
  }

  function content(code: Code): State | undefined {
    if (code === null || isLineEnd(code)) {
      return atLineEnd(code);
    }
    effects.enter('codeFlowValue');
    return chunk(code);
  }

  function chunk(code: Code): State | undefined {
    if (code === null || isLineEnd(code)) {
      effects.exit('codeFlowValue');
      return atLineEnd(code);
    }
    effects.consume(code);
    return chunk;
  }

  function after(code: Code): State | undefined {
    effects.exit('codeFenced');
    return ok(code);
  }

  function nextLine(inner: Effects, yes: State, no: State): State {
    return function start(code) {
      consumeLineEnd(inner, code);
      return (next) => (parser.lazy[now()] === true ? no(next) : yes(next));
    };
  }

  function closingFence(inner: Effects, yes: State, no: State): State {
    let size = 0;
    const sequence: State = (code) => {
      if (code === dollar) {
        inner.consume(code);
        size += 1;
        return sequence;
      }
      if (size < opened) {
        return no(code);
      }
      inner.exit('codeFencedFenceSequence');
      inner.exit('codeFencedFence');
      return blank(inner, end)(code);
    };
    const end: State = (code) => (code === null || isLineEnd(code) ? yes(code) : no(code));
    const fence: State = (code) => {
      if (code !== dollar) {
        return no(code);
      }
      inner.enter('codeFencedFence');
      inner.enter('codeFencedFenceSequence');
      return sequence(code);
    };
    return (code) => {
      consumeLineEnd(inner, code);
      return blank(inner, fence);
    };
  }
};

function blank(effects: Effects, next: State): State {
  const inside: State = (code) => {
    if (isSpace(code)) {
      effects.consume(code);
      return inside;
    }
    effects.exit('linePrefix');
    return next(code);
  };
  return (code) => {
    if (!isSpace(code)) {
      return next(code);
    }
    effects.enter('linePrefix');
    return inside(code);
  };
}
