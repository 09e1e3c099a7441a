/** What a plain question about evidence wants to know, and about what. */

export type QuestionKind = 'covers' | 'missing' | 'redundant'

export interface EvidenceQuestion {
  readonly kind: QuestionKind
  /** What is left of the question without the asking. */
  readonly topic: string
}

const REDUNDANT =
  /\b(redundant|redundancy|duplicat\w*|overlap\w*|repeat(s|ed|ing)?|twice|the same)\b/i
const MISSING =
  /\b(missing|lacks?|lacking|gaps?|absent|not covered|uncovered|need(ed)? (for|to)|should (i|we) add)\b/i

/** What is before the topic in questions that people ask. */
const ASKING: readonly RegExp[] = [
  /^\s*(what|which|where|is there|are there|do (i|we) have|show|find|list|tell me)\b('s|’s)?\s*/i,
  /^\s*(is|are|else is)\b\s*/i,
  /^\s*(missing|lacking|absent|needed|not covered|the gaps?|gaps?|(any )?(evidence|files?|parts?|code|context))\b\s*/i,
  /^\s*(covers?|covering|about|mentions?|handles?|deals? with|has|contains?|shows?|is about|speaks? of|do (i|we) need|should (i|we) add)\b\s*/i,
  /^\s*(for|in|of|on|about|to|with|from)\b\s*/i,
]

export function questionIn(text: string): EvidenceQuestion {
  const kind = REDUNDANT.test(text) ? 'redundant' : MISSING.test(text) ? 'missing' : 'covers'
  return { kind, topic: topicOf(text) }
}

/** The asking is taken off the front until nothing of it is left; all of it, and the text is the topic. */
function topicOf(text: string): string {
  let topic = text.trim().replace(/[?.!\s]+$/, '')
  for (let before = ''; before !== topic; ) {
    before = topic
    for (const words of ASKING) topic = topic.replace(words, '')
  }
  return topic === '' ? text.trim() : topic
}
