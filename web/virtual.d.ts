declare module 'virtual:catalog/es-MX' {
  const texts: Record<string, string>;
  export default texts;
}
declare module 'virtual:catalog/en' {
  const texts: Record<string, string>;
  export default texts;
}
declare module '*.css';
