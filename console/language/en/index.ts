import { audit } from './audit.ts'
import { budget } from './budget.ts'
import { common } from './common.ts'
import { faults } from './faults.ts'
import { folders } from './folders.ts'
import { form } from './form.ts'
import { inbox } from './inbox.ts'
import { modelPhrases } from './model-phrases.ts'
import { phrases } from './phrases.ts'
import { roots } from './roots.ts'
import { sampling } from './sampling.ts'
import { servers } from './servers.ts'
import { settings } from './settings.ts'
import { shell } from './shell.ts'
import { timeline } from './timeline.ts'
import { tour } from './tour.ts'
import { tryIt } from './try-it.ts'
import { url } from './url.ts'
import { usage } from './usage.ts'

interface English {
  readonly audit: typeof audit
  readonly budget: typeof budget
  readonly common: typeof common
  readonly faults: typeof faults
  readonly folders: typeof folders
  readonly form: typeof form
  readonly inbox: typeof inbox
  readonly phrases: typeof phrases & typeof modelPhrases
  readonly roots: typeof roots
  readonly sampling: typeof sampling
  readonly servers: typeof servers
  readonly settings: typeof settings
  readonly shell: typeof shell
  readonly timeline: typeof timeline
  readonly tour: typeof tour
  readonly tryIt: typeof tryIt
  readonly url: typeof url
  readonly usage: typeof usage
}

/** English: the first catalogue, whose keys are everybody's. */
export const en: English = {
  audit,
  budget,
  common,
  faults,
  folders,
  form,
  inbox,
  phrases: { ...phrases, ...modelPhrases },
  roots,
  sampling,
  servers,
  settings,
  shell,
  timeline,
  tour,
  tryIt,
  url,
  usage,
}
