import { SaxesParser } from 'saxes';
import { malformed, type XmlEvents, type xmlScanner } from '../../src/intake/workbook/xml/xml-scanner.js';

/** A third-party XML parser to compare ours with. */
export function saxesParser(events: XmlEvents): ReturnType<typeof xmlScanner> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('error', ({ message }) => {
    throw malformed(message);
  });
  parser.on('doctype', () => {
    throw malformed('a document type declaration');
  });
  parser.on('opentag', ({ name, attributes }) => events.open(name, new Map(Object.entries(attributes))));
  parser.on('text', (text) => events.text(text));
  parser.on('cdata', (text) => events.text(text));
  parser.on('closetag', ({ name }) => events.close(name));
  return {
    write: (text: string) => {
      parser.write(text);
    },
    end: () => {
      parser.close();
    },
  };
}
