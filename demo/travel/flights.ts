/** One way to get from New York to Barcelona on Tuesday 15 June 2027. Airlines and fares are made up. */
export interface Flight {
  readonly number: string
  readonly airline: string
  readonly from: 'JFK' | 'EWR'
  /** Local time in New York. */
  readonly departs: string
  /** Local time in Barcelona; `+1` means the day after. */
  readonly arrives: string
  /** From take-off to the last landing. */
  readonly minutes: number
  /** Airport and waiting time in hours, in order. */
  readonly layovers: readonly string[]
  /** US dollars for one person, there and back. */
  readonly price: number
}

/** The 47 flights of the documentation's example, earliest departure first. */
export const flights: readonly Flight[] = [
  { number: 'CTB685', airline: 'Cantabria', from: 'JFK', departs: '06:15', arrives: '21:55', minutes: 580, layovers: ['LIS 1:00'], price: 593 },
  { number: 'NDA927', airline: 'Norda', from: 'JFK', departs: '06:15', arrives: '23:45', minutes: 690, layovers: ['FRA 1:45'], price: 513 },
  { number: 'CLM532', airline: 'Calima Air', from: 'JFK', departs: '07:05', arrives: '23:10', minutes: 605, layovers: ['LIS 1:25'], price: 706 },
  { number: 'HLC600', airline: 'Halcyon', from: 'JFK', departs: '07:05', arrives: '00:05 +1', minutes: 660, layovers: ['LHR 1:55'], price: 920 },
  { number: 'AUN821', airline: 'Aurora', from: 'JFK', departs: '07:55', arrives: '00:00 +1', minutes: 605, layovers: ['DUB 1:00'], price: 539 },
  { number: 'CLM751', airline: 'Calima Air', from: 'JFK', departs: '08:25', arrives: '22:00', minutes: 455, layovers: [], price: 755 },
  { number: 'CLM526', airline: 'Calima Air', from: 'JFK', departs: '08:40', arrives: '06:05 +1', minutes: 925, layovers: ['YUL 1:50', 'PDL 2:50'], price: 418 },
  { number: 'AUN325', airline: 'Aurora', from: 'JFK', departs: '09:00', arrives: '07:55 +1', minutes: 1015, layovers: ['BOS 2:05', 'DUB 5:10'], price: 397 },
  { number: 'HLC958', airline: 'Halcyon', from: 'JFK', departs: '09:00', arrives: '22:40', minutes: 460, layovers: [], price: 1287 },
  { number: 'AUN724', airline: 'Aurora', from: 'EWR', departs: '09:20', arrives: '07:05 +1', minutes: 945, layovers: ['BOS 2:00', 'DUB 4:05'], price: 477 },
  { number: 'VEL608', airline: 'Vela Atlantic', from: 'JFK', departs: '09:35', arrives: '23:30', minutes: 475, layovers: [], price: 1135 },
  { number: 'TRM747', airline: 'Tramontana', from: 'JFK', departs: '09:50', arrives: '06:25 +1', minutes: 875, layovers: ['YUL 1:10', 'CDG 3:20'], price: 517 },
  { number: 'BMD871', airline: 'Blue Meridian', from: 'JFK', departs: '10:30', arrives: '05:30 +1', minutes: 780, layovers: ['DUB 3:55'], price: 510 },
  { number: 'AUN739', airline: 'Aurora', from: 'EWR', departs: '10:45', arrives: '06:45 +1', minutes: 840, layovers: ['KEF 4:00'], price: 586 },
  { number: 'CLM782', airline: 'Calima Air', from: 'JFK', departs: '10:45', arrives: '05:00 +1', minutes: 735, layovers: ['LIS 3:35'], price: 537 },
  { number: 'NDA479', airline: 'Norda', from: 'JFK', departs: '10:45', arrives: '05:35 +1', minutes: 770, layovers: ['BOS 1:00', 'FRA 1:30'], price: 502 },
  { number: 'TRM683', airline: 'Tramontana', from: 'JFK', departs: '11:10', arrives: '06:00 +1', minutes: 770, layovers: ['BOS 1:00', 'CDG 2:05'], price: 459 },
  { number: 'CLM937', airline: 'Calima Air', from: 'JFK', departs: '11:25', arrives: '07:25 +1', minutes: 840, layovers: ['PDL 4:10'], price: 551 },
  { number: 'CTB624', airline: 'Cantabria', from: 'EWR', departs: '14:20', arrives: '11:05 +1', minutes: 885, layovers: ['BOS 2:50', 'LIS 2:40'], price: 441 },
  { number: 'CTB465', airline: 'Cantabria', from: 'JFK', departs: '15:10', arrives: '11:10 +1', minutes: 840, layovers: ['YUL 2:30', 'LIS 1:55'], price: 506 },
  { number: 'HLC257', airline: 'Halcyon', from: 'EWR', departs: '15:10', arrives: '10:30 +1', minutes: 800, layovers: ['ZRH 3:45'], price: 720 },
  { number: 'AUN897', airline: 'Aurora', from: 'EWR', departs: '16:00', arrives: '12:45 +1', minutes: 885, layovers: ['YUL 1:20', 'KEF 2:30'], price: 476 },
  { number: 'CLM645', airline: 'Calima Air', from: 'EWR', departs: '16:35', arrives: '06:20 +1', minutes: 465, layovers: [], price: 758 },
  { number: 'AUN566', airline: 'Aurora', from: 'EWR', departs: '17:15', arrives: '06:50 +1', minutes: 455, layovers: [], price: 808 },
  { number: 'AUN227', airline: 'Aurora', from: 'EWR', departs: '17:40', arrives: '07:30 +1', minutes: 470, layovers: [], price: 866 },
  { number: 'CLM380', airline: 'Calima Air', from: 'JFK', departs: '17:40', arrives: '12:15 +1', minutes: 755, layovers: ['LIS 3:55'], price: 483 },
  { number: 'HLC382', airline: 'Halcyon', from: 'EWR', departs: '17:40', arrives: '16:30 +1', minutes: 1010, layovers: ['YUL 2:20', 'LHR 4:30'], price: 655 },
  { number: 'CLM654', airline: 'Calima Air', from: 'JFK', departs: '18:05', arrives: '16:30 +1', minutes: 985, layovers: ['BOS 2:35', 'LIS 4:35'], price: 365 },
  { number: 'HLC436', airline: 'Halcyon', from: 'JFK', departs: '18:05', arrives: '08:00 +1', minutes: 475, layovers: [], price: 1050 },
  { number: 'AUN775', airline: 'Aurora', from: 'JFK', departs: '18:55', arrives: '08:50 +1', minutes: 475, layovers: [], price: 748 },
  { number: 'HLC171', airline: 'Halcyon', from: 'JFK', departs: '18:55', arrives: '13:20 +1', minutes: 745, layovers: ['LHR 3:20'], price: 861 },
  { number: 'NDA748', airline: 'Norda', from: 'JFK', departs: '18:55', arrives: '13:20 +1', minutes: 745, layovers: ['AMS 3:00'], price: 778 },
  { number: 'BMD259', airline: 'Blue Meridian', from: 'JFK', departs: '19:20', arrives: '12:30 +1', minutes: 670, layovers: ['DUB 2:05'], price: 712 },
  { number: 'CLM394', airline: 'Calima Air', from: 'JFK', departs: '19:20', arrives: '13:35 +1', minutes: 735, layovers: ['BOS 1:25', 'LIS 1:35'], price: 483 },
  { number: 'CTB163', airline: 'Cantabria', from: 'JFK', departs: '19:20', arrives: '12:45 +1', minutes: 685, layovers: ['LIS 2:45'], price: 702 },
  { number: 'TRM306', airline: 'Tramontana', from: 'JFK', departs: '19:20', arrives: '09:00 +1', minutes: 460, layovers: [], price: 941 },
  { number: 'VEL305', airline: 'Vela Atlantic', from: 'JFK', departs: '20:40', arrives: '14:30 +1', minutes: 710, layovers: ['BOS 3:25'], price: 807 },
  { number: 'HLC587', airline: 'Halcyon', from: 'JFK', departs: '21:05', arrives: '20:15 +1', minutes: 1030, layovers: ['BOS 2:30', 'LHR 5:00'], price: 554 },
  { number: 'BMD567', airline: 'Blue Meridian', from: 'JFK', departs: '21:30', arrives: '11:20 +1', minutes: 470, layovers: [], price: 1139 },
  { number: 'AUN888', airline: 'Aurora', from: 'JFK', departs: '22:00', arrives: '16:10 +1', minutes: 730, layovers: ['KEF 2:10'], price: 584 },
  { number: 'CTB884', airline: 'Cantabria', from: 'JFK', departs: '22:00', arrives: '15:55 +1', minutes: 715, layovers: ['MAD 3:35'], price: 730 },
  { number: 'TRM559', airline: 'Tramontana', from: 'JFK', departs: '22:00', arrives: '14:55 +1', minutes: 655, layovers: ['CDG 1:45'], price: 579 },
  { number: 'AUN778', airline: 'Aurora', from: 'JFK', departs: '22:25', arrives: '16:35 +1', minutes: 730, layovers: ['DUB 3:05'], price: 464 },
  { number: 'HLC102', airline: 'Halcyon', from: 'EWR', departs: '22:25', arrives: '11:55 +1', minutes: 450, layovers: [], price: 1119 },
  { number: 'VEL706', airline: 'Vela Atlantic', from: 'JFK', departs: '22:25', arrives: '15:00 +1', minutes: 635, layovers: ['MAD 2:15'], price: 749 },
  { number: 'CTB879', airline: 'Cantabria', from: 'EWR', departs: '23:30', arrives: '16:00 +1', minutes: 630, layovers: ['MAD 2:10'], price: 583 },
  { number: 'NDA141', airline: 'Norda', from: 'JFK', departs: '23:30', arrives: '18:40 +1', minutes: 790, layovers: ['FRA 3:25'], price: 734 },
]

/** Every airline that flies there, by name. */
export const airlines: readonly string[] = [...new Set(flights.map((flight) => flight.airline))].toSorted()

/** One flight as one line, for people and for models. */
export function describeFlight(flight: Flight): string {
  const way = `${flight.from} ${flight.departs} -> BCN ${flight.arrives}`
  const duration = `${Math.floor(flight.minutes / 60)} h ${String(flight.minutes % 60).padStart(2, '0')} min`
  return `${flight.number} ${flight.airline}: ${way}, ${duration}, ${describeLayovers(flight.layovers)}, $${flight.price}`
}

function describeLayovers(layovers: readonly string[]): string {
  if (layovers.length === 0) return 'nonstop'
  return `${layovers.length} ${layovers.length === 1 ? 'layover' : 'layovers'} (${layovers.join(', ')})`
}
