import { SaxesParser } from 'saxes';
import {
  malformed,
  type XmlEvents,
  XmlFault,
  type XmlParser,
} from '../../src/intake/workbook/xml/xml-scanner.js';

/** A parser of XML by others, to compare ours with. */
export function saxesParser(events: XmlEvents): XmlParser {
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('error', ({ message }) => {
    throw malformed(message);
  });
  parser.on('doctype', () => {
    throw new XmlFault('doctype', 'a document type declaration');
  });
  parser.on('opentag', ({ name, attributes }) => events.open(name, new Map(Object.entries(attributes))));
  parser.on('text', (text) => events.text(text));
  parser.on('cdata', (text) => events.text(text));
  parser.on('closetag', ({ name }) => events.close(name));
  return {
    write: (text) => {
      parser.write(text);
    },
    end: () => {
      parser.close();
    },
  };
}
