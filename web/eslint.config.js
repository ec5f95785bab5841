import js from "@eslint/js";
import a11y from "eslint-plugin-jsx-a11y";
import hooks from "eslint-plugin-react-hooks";
import globals from "globals";
import ts from "typescript-eslint";

export default ts.config(
  { ignores: ["dist", "node_modules", "src/api/schema.gen.ts"] },
  js.configs.recommended,
  ...ts.configs.strictTypeChecked,
  a11y.flatConfigs.recommended,
  hooks.configs.flat.recommended,
  {
    languageOptions: {
      globals: { ...globals.browser },
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      eqeqeq: "error",
      "no-console": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // Deciding by truthiness is fine for strings here; nullness is checked by the types.
      "@typescript-eslint/prefer-nullish-coalescing": "off",
    },
  },
  { files: ["public/*.js", "*.config.js"], extends: [ts.configs.disableTypeChecked], languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  { files: ["e2e/**"], rules: { "no-console": "off" }, languageOptions: { globals: { ...globals.node } } },
);
