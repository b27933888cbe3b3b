import { useMemo, useState, type ReactNode } from 'react';
import { useWords } from '../words/words.js';
import { beginning, cleanLines, withNames } from './text.js';

/** From here on a text is folded, and to how much: somebody pasted a page, or a name has no end. */
const FOLDS = { person: { from: 1_000, to: 600 }, ada: { from: 2_400, to: 1_600 } } as const;

const NONE: readonly string[] = [];

/** Text of a person or of Ada, with its lines, in its own direction; names of rows stand out. */
export const Said = ({
  text,
  names = NONE,
  by = 'ada',
}: {
  text: string;
  names?: ReadonlyArray<string | null>;
  by?: keyof typeof FOLDS;
}): ReactNode => {
  const { say } = useWords();
  const [whole, setWhole] = useState(false);
  const all = useMemo(() => cleanLines(text), [text]);
  const long = all.length > FOLDS[by].from;
  const pieces = useMemo(() => withNames(long && !whole ? beginning(all, FOLDS[by].to) : all, names), [all, names, long, whole, by]);
  return (
    <div className="chat-said">
      <p dir="auto">
        {pieces.map((one, i) =>
          one.name ? (
            <bdi key={i} className="chat-name">
              {one.text}
            </bdi>
          ) : (
            one.text
          ),
        )}
      </p>
      {long ? (
        <button type="button" className="button slim" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {say(whole ? 'web.chat.less' : 'web.chat.more')}
        </button>
      ) : null}
    </div>
  );
};
