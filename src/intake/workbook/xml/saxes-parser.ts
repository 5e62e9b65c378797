import { SaxesParser } from 'saxes';
import { malformed, TOKEN_CHARS_MAX, type XmlEvents, XmlFault, type XmlParser } from './xml-parser.js';

/** The reference parser: for small parts, and for comparison with `xmlScanner`. */
export function saxesParser(events: XmlEvents): XmlParser {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let charsInOneToken = 0;
  parser.on('error', ({ message }) => {
    throw malformed(message);
  });
  parser.on('doctype', () => {
    throw new XmlFault('doctype', 'a document type declaration');
  });
  parser.on('opentag', ({ name, attributes }) => {
    charsInOneToken = 0;
    const names = Object.keys(attributes);
    events.open(name, {
      get: (attribute) => attributes[attribute],
      names: () => names,
      declareNamespace: names.some((attribute) => attribute.startsWith('xmlns')),
    });
  });
  const onText = (text: string) => {
    charsInOneToken = 0;
    events.text(text);
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('closetag', ({ name }) => events.close(name));
  return {
    write(text) {
      charsInOneToken += text.length;
      parser.write(text);
      if (charsInOneToken > TOKEN_CHARS_MAX) throw malformed('a tag or text without end');
    },
    end() {
      parser.close();
    },
  };
}
