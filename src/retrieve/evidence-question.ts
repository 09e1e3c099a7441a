/** What a plain question about evidence wants to know, and about what. */

export type QuestionKind = 'covers' | 'missing' | 'redundant'

export interface EvidenceQuestion {
  readonly kind: QuestionKind
  /** What is left of the question without the asking. */
  readonly topic: string
}

/** In English and in German, which is what the people ask in whose notes we read. */
const REDUNDANT =
  /(?<!\p{L})(redundant\p{L}*|redundancy|duplicat\p{L}*|overlap\p{L}*|repeat(s|ed|ing)?|twice|the same|superfluous|throw (it )?out|doppelt\p{L}*|mehrfach|überflüssig\p{L}*|überschneide\p{L}*|wiederhol\p{L}*)(?!\p{L})/iu
const MISSING =
  /(?<!\p{L})(missing|lacks?|lacking|gaps?|absent|not covered|uncovered|not added|(do|should) (i|we) (still )?(need|add)|need(ed)? (for|to)|fehl(t|en|end\p{L}*)|lücken?|brauche (ich|wir)|nicht abgedeckt)(?!\p{L})/iu

/** What is before the topic in questions that people ask. */
const ASKING: readonly RegExp[] = [
  /^\s*(what|which|where|is there|are there|do (i|we) have|am i|are we|show|find|list|tell me|was|welche[rs]?|wo|gibt es|habe ich|zeige?)(?!\p{L})('s|’s)?\s*/iu,
  /^\s*(is|are|else is|else|ist|sind|noch|mir)(?!\p{L})\s*/iu,
  /^\s*(missing|lacking|absent|needed|not covered|the gaps?|gaps?|fehlt|fehlen|(any )?(evidence|files?|parts?|code|context|thing|something|anything)|belege?|dateien?|teile?)(?!\p{L})\s*/iu,
  /^\s*(covers?|covering|about|mentions?|talks?( about)?|handles?|deals? with|has|contains?|shows?|is about|speaks? of|do (i|we) need|should (i|we) add|brauche (ich|wir)|behandel(t|n)|handel(t|n) von|decken|deckt|spricht von|sprechen von)(?!\p{L})\s*/iu,
  /^\s*(for|in|of|on|about|to|with|from|für|von|über|zu|zum|zur|mit|bei)(?!\p{L})\s*/iu,
]

/** A German verb may be split: `decken … ab`. */
const SPLIT = /^(.*(?<!\p{L})deck(t|en)(?!\p{L}).*)\s+ab$/iu

export function questionIn(text: string): EvidenceQuestion {
  const kind = REDUNDANT.test(text) ? 'redundant' : MISSING.test(text) ? 'missing' : 'covers'
  return { kind, topic: topicOf(text) }
}

/** The asking is taken off the front until nothing of it is left; all of it, and the text is the topic. */
function topicOf(text: string): string {
  let topic = text
    .trim()
    .replace(/[?.!\s]+$/, '')
    .replace(SPLIT, '$1')
  for (let before = ''; before !== topic; ) {
    before = topic
    for (const words of ASKING) topic = topic.replace(words, '')
  }
  return topic === '' ? text.trim() : topic
}
