import { inFlat, textRule } from '../rule.js';

/** Closes the place where the text stands, or speaks as somebody else. */
export const BREAKOUT = [
  textRule(
    'breakout.tag',
    'block',
    inFlat(
      /<\s{0,4}\/?\s{0,4}(?:available_skills|loaded_skills|skills?|skill_body|system|developer|assistant|instructions?|workspace_text|tool_results?|tool_calls?|function_calls?|function_results?|prompt|manual|estado|hilo|herramientas)(?=[\s>/]|$)/g,
    ),
  ),
  textRule('breakout.cdata', 'block', inFlat(/\]\]\s{0,2}>/g, /<!\[cdata\[/g)),
  textRule(
    'breakout.chat_token',
    'block',
    inFlat(
      /<\|[a-z_]{2,30}\|?>/g,
      /\[\/?inst\]/g,
      /<<\/?sys>>/g,
      /<\/?s>\s{0,3}\[inst\]/g,
      /<(?:start|end)_of_turn>/g,
      /<\/?(?:im_start|im_end|endoftext)>/g,
    ),
  ),
  textRule(
    'breakout.role_line',
    'block',
    inFlat(
      /^[ \t>*_#-]{0,20}(?:system|developer)(?:[ \t]{1,3}(?:prompt|message))?[ \t*_]{0,5}:/gm,
      /^[ \t]{0,3}\{\s{0,3}"role"\s{0,3}:\s{0,3}"(?:system|developer|assistant)"/gm,
    ),
  ),
  textRule(
    'breakout.end_marker',
    'report',
    inFlat(
      /^[ \t=\-#*~[(>]{0,20}(?:end of|fin de|fin del|termina|termina el|begin|inicio del) ?(?:the |el |la |las )?(?:system )?(?:prompt|manual|skill|context|contexto|sistema|system|instructions|instrucciones)[ \t=\-#*~\])<.:]{0,20}$/gm,
    ),
  ),
  textRule('breakout.assistant_line', 'report', inFlat(/^[ \t>*_#-]{0,20}(?:assistant|human|ai)[ \t*_]{0,5}:/gm)),
];
