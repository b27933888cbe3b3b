/** A link that came from outside, if it is one that a page may follow; null for anything else (`javascript:`, files, nonsense). */
export const safeLink = (url: string | null): string | null => {
  if (!url) return null;
  try {
    return ['https:', 'http:'].includes(new URL(url).protocol) ? url : null;
  } catch {
    return null;
  }
};
