import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { catalog } from './words/catalog-plugin.js';

/** One bundle per language and screen; nothing inline (the page runs under a strict policy) and nothing from elsewhere. */
export default defineConfig({
  plugins: [react(), catalog()],
  // `npx vite web` for whoever changes the page: the rest comes from a running API.
  server: { proxy: { '/v1': { target: process.env['CAMPANA_API_URL'] ?? 'http://127.0.0.1:7400' } } },
  base: '/',
  publicDir: false,
  build: {
    target: 'es2022',
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 400,
  },
});
