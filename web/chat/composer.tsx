import { useId, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import { useWords } from '../words/words.js';

/** As long as a message may be (the API's limit). */
export const MESSAGE_MAX = 8_000;
/** From here on what is left is worth saying. */
const NEAR = 7_500;

export interface ComposerProps {
  text: string;
  write: (text: string) => void;
  send: () => void;
  /** Stops the turn that runs; null while none does. */
  stop: (() => void) | null;
  stopping: boolean;
  box: Ref<HTMLTextAreaElement>;
}

/** Where a person writes. It never waits for Ada: what is sent while she works is next. */
export const Composer = ({ text, write, send, stop, stopping, box }: ComposerProps): ReactNode => {
  const { say } = useWords();
  const id = useId();
  const note = useId();
  const length = text.trim().length;
  const over = length > MESSAGE_MAX;
  const submit = (): void => {
    if (length > 0 && !over) send();
  };
  const key = (event: KeyboardEvent): void => {
    // Enter that chooses a word of an input method is not meant for us.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!event.repeat) submit();
  };
  return (
    <form
      className="chat-composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <label className="unseen" htmlFor={id}>
        {say('web.chat.message')}
      </label>
      <div className="chat-write">
        <textarea
          id={id}
          ref={box}
          rows={1}
          value={text}
          placeholder={say('web.chat.placeholder')}
          aria-describedby={note}
          aria-invalid={over || undefined}
          dir="auto"
          onChange={(event) => write(event.target.value)}
          onKeyDown={key}
        />
        {stop ? (
          <button type="button" className="button" aria-disabled={stopping} onClick={() => !stopping && stop()}>
            <span aria-hidden="true">■</span> {say('web.chat.stop')}
          </button>
        ) : null}
        <button type="submit" className="button main" aria-disabled={length === 0 || over} aria-describedby={note}>
          {say('web.chat.send')}
        </button>
      </div>
      <p className={over ? 'chat-note chat-over' : 'chat-note quiet'} id={note}>
        {length > NEAR
          ? say(over ? 'web.chat.too_long' : 'web.chat.left', { n: Math.abs(MESSAGE_MAX - length), max: MESSAGE_MAX })
          : say('web.chat.keys')}
      </p>
    </form>
  );
};
