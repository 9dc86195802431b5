import type { Catalogue } from '../catalogue.ts'
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

/** Korean. */
export const ko: Catalogue = {
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
