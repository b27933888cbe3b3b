/**
 * The page's address with a code in its fragment that logs one browser in, once, within ten minutes. The fragment stays in the browser.
 * @param api base of the API, e.g. `http://127.0.0.1:7400`
 * @param token of the person; empty: whoever opens the page has to have a session
 * @returns the plain address where no code can be had (keys of your own, production)
 */
export const pageLink = async (api: string, token: string): Promise<string> => {
  const plain = `${api}/`;
  if (!token) return plain;
  try {
    const answer = await fetch(`${api}/v1/session/codes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(5_000),
    });
    return answer.ok ? `${api}${((await answer.json()) as { path: string }).path}` : plain;
  } catch {
    return plain;
  }
};
