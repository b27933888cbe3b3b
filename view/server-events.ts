/** One server-sent event. `id` is the one it brought itself, null where it brought none; `event` is `message` where it has no name. */
export interface ServerEvent {
  id: string | null;
  event: string;
  data: string;
}

/** Longer than any event of ours, in characters; what is longer is not one. */
const MAX = 4_000_000;

/** A stream that sends one event without an end: nobody waits for it, and nobody keeps it. */
export class EventTooLong extends Error {
  constructor() {
    super('an event without an end');
    this.name = 'EventTooLong';
  }
}

/**
 * Reads the bytes of an event stream in whatever pieces they come: the events are the same however they were cut, inside a character
 * or between CR and LF too. Lines end in LF, CRLF or CR; comments and unknown fields are passed over; an event that the stream breaks off in is none.
 */
export class EventParser {
  private readonly decoder = new TextDecoder();
  /** The line that has not ended yet, and the characters of its event before it. */
  private line = '';
  private size = 0;
  /** The last piece ended in CR: an LF that follows belongs to it. */
  private afterCr = false;
  private id: string | null = null;
  private name = '';
  private data: string[] = [];

  /** @param max characters that an event with its comments may have */
  constructor(private readonly max: number = MAX) {}

  /** The events that end in this piece. @throws EventTooLong when one has grown beyond the limit; the parser is of no use after it */
  *push(piece: Uint8Array): Generator<ServerEvent> {
    const text = this.decoder.decode(piece, { stream: true });
    if (text === '') return;
    let from = this.afterCr && text.startsWith('\n') ? 1 : 0;
    this.afterCr = text.endsWith('\r');
    for (const end of text.matchAll(/\r\n|\n|\r/g)) {
      if (end.index < from) continue;
      this.grow(text.slice(from, end.index));
      from = end.index + end[0].length;
      const event = this.endLine();
      if (event) yield event;
    }
    this.grow(text.slice(from));
  }

  private grow(part: string): void {
    this.line += part;
    if (this.size + this.line.length > this.max) throw new EventTooLong();
  }

  private endLine(): ServerEvent | null {
    const { line } = this;
    this.line = '';
    if (line === '') return this.endEvent();
    this.size += line.length;
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (field === 'data') this.data.push(value);
    else if (field === 'event') this.name = value;
    else if (field === 'id' && !value.includes('\0')) this.id = value;
    return null;
  }

  private endEvent(): ServerEvent | null {
    const { id, name, data } = this;
    this.id = null;
    this.name = '';
    this.data = [];
    this.size = 0;
    return data.length === 0 ? null : { id, event: name || 'message', data: data.join('\n') };
  }
}
