/** Words of questions that say little of the code that is meant. */

/** Whether people say it about code of any kind: in a sentence, it names no definition. */
export function isAboutCode(word: string): boolean {
  return ABOUT_CODE.has(word.toLowerCase())
}

/** Whether it only makes a sentence: "looks like it breaks". */
export function isSentenceWord(word: string): boolean {
  return OF_SENTENCES.has(word.toLowerCase())
}

const ABOUT_CODE: ReadonlySet<string> = new Set(
  `about above add added adds after again all allow allows also always any api argument arguments
   attribute avoid back bad be because been before behavior behaviour being better between both break
   breaks broken bug bugs build call called caller callers calling calls cannot case cases cause causes
   change changed changes class classes clean cleanup code come comes correct could crash crashes create
   current data default defaults define deprecated did different doc docs document documentation does
   don done due each either else empty ensure error errors even every example exception existing expect
   expected extra fail failing fails failure false fast faster feat feature field fields file files
   first fix fixed fixes fixing folder found full function functions give given gives good handle
   handles happen happens have help here implement implementation improve in incorrect input inputs
   instead introduce invalid issue issues just know large last later less like line lines list logic
   long look looks loop made main major make makes making many may mean member message method methods
   minor missing mode module more most move much must name named names need needs never new next non
   nothing now null number object off old once one only option optional options other out output over
   package parameter parameters part pass passed passing people performance please possible prevent
   previous problem profiler proper properly property question raise raises reason refactor regression
   related release remove removed removes rename replace report result results return returned returns
   right run same second see seem set should show shows simple simplify since single slow some something
   sometimes specific start still stop string supposed support supported supports take takes tell test
   tests than thing third throw thrown throws time top true try turn twice two type types undefined
   unexpected unless unnecessary unused update updated updates upgrade use used user users uses using
   valid value values variable version via want warn warning warnings way well when while whole why
   without work worked working works would wrong yet you`.split(/\s+/),
)

/** Of talk about code, never of code: words such as "before" or "without" say what is meant. */
const OF_SENTENCES: ReadonlySet<string> = new Set(
  `actually anymore anything apparently appear appears believe besides break breaking breaks broken
   currently easily exactly expect expected expecting explain fine getting guess happen happened
   happening happens hello hi however itself know let lets like likely look looking looks maybe mean
   means might nice ok okay otherwise perhaps please possibly probably properly quite rather really
   seem seems seen simply somehow something sometimes suggest supposed sure tell thank thanks
   themselves thing things think though thought thus tried tries trying understand unfortunately want
   wanted wants whatever whenever whether wonder wondering would wrong yet`.split(/\s+/),
)
