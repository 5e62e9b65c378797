/** The characters of 0x80 to 0xff in code page 850 of DOS, which no decoder of Node.js knows; blanks where it has no letter. */
export const CP850 = [
  ...'ÇüéâäàåçêëèïîìÄÅ',
  ...'ÉæÆôöòûùÿÖÜø£Ø×ƒ',
  ...'áíóúñÑªº¿®¬½¼¡«»',
  ...'░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐',
  ...'└┴┬├─┼ãÃ╚╔╩╦╠═╬¤',
  ...'ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀',
  ...'ÓßÔÒõÕµþÞÚÛÙýÝ¯´',
  ...'\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
];
