/** Letters of other scripts that look like Latin ones. What NFKC folds (full width, mathematical, circled) is not here. */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  a: 'аαɑАΑ',
  b: 'ЬВΒʙв',
  c: 'сϲСϹⅽ',
  d: 'ԁɗᏧ',
  e: 'еєҽЕΕε℮',
  f: 'ſϝƒ',
  g: 'ɡցԌ',
  h: 'һհНΗн',
  i: 'іıɩιІΙӀӏ',
  j: 'јϳЈ',
  k: 'кκКΚ',
  l: 'ⅼ|',
  m: 'мМΜⅿ',
  n: 'ոпΝηή',
  o: 'оοоОΟօσ',
  p: 'рρРΡ',
  q: 'ԛգ',
  r: 'гꭇЯг',
  s: 'ѕЅʂ',
  t: 'тτТΤ',
  u: 'υսцμ',
  v: 'ѵνⅴ',
  w: 'ԝωш',
  x: 'хχХΧ',
  y: 'уγУΥү',
  z: 'ᴢΖʐ',
};
/** Small capitals and negative squared letters, by code point. */
const SMALL_CAPITALS = 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡ✗ʏᴢ';

const TABLE = new Map<string, string>();
for (const [latin, others] of Object.entries(LOOKS_LIKE)) for (const other of others) if (other !== '|') TABLE.set(other, latin);
[...SMALL_CAPITALS].forEach((c, i) => {
  if (c !== '✗') TABLE.set(c, String.fromCharCode(97 + i));
});
for (let i = 0; i < 26; i++) {
  TABLE.set(String.fromCodePoint(0x1f150 + i), String.fromCharCode(97 + i));
  TABLE.set(String.fromCodePoint(0x1f170 + i), String.fromCharCode(97 + i));
}

/** The Latin letter that a character imitates, or undefined. */
export const lookalike = (c: string): string | undefined => TABLE.get(c);
