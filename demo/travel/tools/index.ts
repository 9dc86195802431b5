import type { AirlinePages } from '../airline-pages.ts'
import type { TravelTool } from '../tool.ts'
import { bookTrip } from './book-trip.ts'
import { connectAirline, type Patience } from './connect-airline.ts'
import { findBestFlight } from './find-best-flight.ts'
import { listTrips } from './list-trips.ts'
import { writeItinerary } from './write-itinerary.ts'

export type { Patience } from './connect-airline.ts'

/** The tools of one connection, in the order in which a newcomer meets them. */
export function createTools(pages: AirlinePages, patience?: Patience): readonly TravelTool[] {
  return [listTrips, writeItinerary, bookTrip, findBestFlight, connectAirline(pages, patience)]
}
