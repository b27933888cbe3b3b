import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serverEvents as ofCommand } from '../../cli/chat/events.js';
import { EventParser, EventTooLong, type ServerEvent } from '../../view/server-events.js';
import { serverEvents as ofPage } from '../../web/data/events.js';
import { NoAnswer } from '../../web/data/problem.js';

interface Heard {
  events: ServerEvent[];
  refused: boolean;
}
/** What comes of these pieces, up to a refusal. */
const hear = (pieces: Iterable<Uint8Array>, max?: number): Heard => {
  const parser = new EventParser(max);
  const events: ServerEvent[] = [];
  try {
    for (const piece of pieces) for (const event of parser.push(piece)) events.push(event);
  } catch (error) {
    expect(error).toBeInstanceOf(EventTooLong);
    return { events, refused: true };
  }
  return { events, refused: false };
};
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const eventsOf = (text: string): ServerEvent[] => hear([bytesOf(text)]).events;

/** Cuts anywhere, also inside a character and into pieces of nothing. */
const cut = (bytes: Uint8Array, sizes: number[]): Uint8Array[] => {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const size of sizes) pieces.push(bytes.subarray(at, (at += size)));
  return [...pieces, bytes.subarray(at)];
};
const sizes = fc.array(fc.nat(12), { maxLength: 40 });
const oneLine = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n\0]/g, ''));
const sent = fc.record({
  id: fc.option(oneLine, { nil: null }),
  event: fc.constantFrom('message', 'turn.accepted', 'narration.delta'),
  data: fc.array(oneLine, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n')),
});
/** Text that is often close to a stream: fields, ends of lines of every kind, anything between. */
const nearly = fc
  .array(
    fc.oneof(
      fc.constantFrom('data', 'data: ', 'id: ', 'id', 'event:', ':', ': ', '\n', '\r', '\r\n', '\n\n', '\0', '\uFEFF', 'ñ', '🙂', ' '),
      fc.string({ unit: 'binary', maxLength: 5 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

describe('events of a stream', () => {
  it('are those that were sent, in whatever pieces they come and however lines end', () => {
    fc.assert(
      fc.property(fc.array(sent, { maxLength: 6 }), sizes, fc.constantFrom('\n', '\r\n', '\r'), (events, at, end) => {
        const text = [
          'retry: 2000',
          ': open',
          '',
          ...events.flatMap(({ id, event, data }) => [
            ...(id === null ? [] : [`id: ${id}`]),
            `event: ${event}`,
            ': still here',
            ...data.split('\n').map((line) => `data: ${line}`),
            '',
            ': ',
            '',
          ]),
        ]
          .map((line) => line + end)
          .join('');
        expect(hear(cut(bytesOf(text), at))).toEqual({ events, refused: false });
      }),
    );
  });

  it('are the same for any cuts of any bytes, up to the same refusal', () => {
    fc.assert(
      fc.property(
        fc.oneof(nearly.map(bytesOf), fc.uint8Array({ maxLength: 60 })),
        sizes,
        fc.constantFrom(5, 20, 1_000),
        (bytes, at, max) => {
          expect(hear(cut(bytes, at), max)).toEqual(hear([bytes], max));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('survive a cut at every byte of a character, of CRLF and of a field', () => {
    const bytes = bytesOf('id: 1\r\ndata: señal 🙂\r\ndata: dos\r\n\r\n');
    for (let at = 0; at <= bytes.length; at += 1)
      expect(hear([bytes.subarray(0, at), bytes.subarray(at)]).events).toEqual([{ id: '1', event: 'message', data: 'señal 🙂\ndos' }]);
    expect(hear([...bytes].map((byte) => Uint8Array.of(byte))).events).toHaveLength(1);
  });

  it.each<[string, string, ServerEvent[]]>([
    ['a comment and an unknown field are passed over', ': x\nretry: 1\nfoo: y\ndata: a\n\n', [{ id: null, event: 'message', data: 'a' }]],
    ['without data there is no event', 'id: 1\nevent: a\n\ndata: b\n\n', [{ id: null, event: 'message', data: 'b' }]],
    [
      'one space after the colon is not part of the value, a second one is',
      'data:a\ndata:  b\n\n',
      [{ id: null, event: 'message', data: 'a\n b' }],
    ],
    ['a field without a colon is empty', 'data\n\n', [{ id: null, event: 'message', data: '' }]],
    ['an id with a NUL is none', 'id: a\0b\ndata: c\n\n', [{ id: null, event: 'message', data: 'c' }]],
    ['a mark of byte order at the beginning is not part of a field', '\uFEFFdata: a\n\n', [{ id: null, event: 'message', data: 'a' }]],
    ['an event that the stream breaks off in is none', 'data: a\n\ndata: b\n', [{ id: null, event: 'message', data: 'a' }]],
  ])('%s', (_what, text, events) => expect(eventsOf(text)).toEqual(events));

  it('are refused when one is longer than the limit, in one line or in many; what came before it is heard, and short ones do not add up', () => {
    const before = { id: null, event: 'message', data: 'a' };
    expect(hear([bytesOf(`data: a\n\ndata: ${'x'.repeat(100)}`)], 50)).toEqual({ events: [before], refused: true });
    expect(hear([bytesOf(`data: a\n\n${'data: x\n'.repeat(20)}`)], 50)).toEqual({ events: [before], refused: true });
    expect(hear([bytesOf('data: a\n\n'.repeat(100))], 50)).toMatchObject({ refused: false, events: { length: 100 } });
  });
});

describe('both readers', () => {
  const text = 'id: 1\ndata: ñ\n\n: \n\nid: 2\nevent: x\ndata: b\n\n';
  const all = [
    { id: '1', event: 'message', data: 'ñ' },
    { id: '2', event: 'x', data: 'b' },
  ];
  /** A body in pieces of three bytes that ends, or breaks. */
  const bodyOf = (what: string, broken = false): ReadableStream<Uint8Array> => {
    const pieces = cut(
      bytesOf(what),
      Array.from({ length: Math.ceil(what.length / 3) }, () => 3),
    );
    return new ReadableStream({
      pull: (controller) => {
        const piece = pieces.shift();
        if (piece) controller.enqueue(piece);
        else if (broken) controller.error(new Error('cut'));
        else controller.close();
      },
    });
  };
  const drain = async (events: AsyncIterable<ServerEvent>): Promise<ServerEvent[]> => {
    const heard: ServerEvent[] = [];
    for await (const event of events) heard.push(event);
    return heard;
  };

  it('hear the same and are told of every piece', async () => {
    let pieces = 0;
    expect(await drain(ofCommand(bodyOf(text), () => void (pieces += 1)))).toEqual(all);
    expect(await drain(ofPage(new Response(bodyOf(text)), () => void (pieces -= 1)))).toEqual(all);
    expect(pieces).toBe(0);
    expect(await drain(ofPage(new Response(null)))).toEqual([]);
  });

  it('say that the connection broke, each in its own way', async () => {
    await expect(drain(ofCommand(bodyOf(text, true)))).rejects.toThrow('cut');
    await expect(drain(ofPage(new Response(bodyOf(text, true))))).rejects.toBeInstanceOf(NoAnswer);
  });
});
