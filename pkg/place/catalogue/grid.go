package catalogue

import (
	"cmp"
	"math"
	"slices"

	"convene/pkg/geo"
)

const (
	earthRadiusKm = 6371.0088
	// cellDegrees is the side of a cell, some 2 km: a city has a few dozen of them.
	cellDegrees = 0.02
)

// vector is a point on the unit sphere. Distances between vectors need no sines, and no care at the date line.
type vector [3]float64

func vectorOf(p geo.Point) vector {
	lat, lon := p.Latitude*math.Pi/180, p.Longitude*math.Pi/180
	return vector{math.Cos(lat) * math.Cos(lon), math.Cos(lat) * math.Sin(lon), math.Sin(lat)}
}

// km is the great-circle distance.
func (v vector) km(o vector) float64 {
	x, y, z := v[0]-o[0], v[1]-o[1], v[2]-o[2]
	return 2 * earthRadiusKm * math.Asin(min(1, math.Sqrt(x*x+y*y+z*z)/2))
}

// cell is the entries of a small area. None is farther than radius from centre.
type cell struct {
	centre vector
	radius float64
	ids    []int32
}

func cellsOf(entries []entry) []cell {
	index := map[[2]int]int{}
	var cells []cell
	for id := range entries {
		p := entries[id].place.Location
		key := [2]int{int(math.Floor(p.Latitude / cellDegrees)), int(math.Floor(p.Longitude / cellDegrees))}
		i, known := index[key]
		if !known {
			i = len(cells)
			index[key] = i
			centre := geo.Point{
				Latitude: (float64(key[0]) + 0.5) * cellDegrees, Longitude: (float64(key[1]) + 0.5) * cellDegrees,
			}
			cells = append(cells, cell{centre: vectorOf(centre)})
		}
		cells[i].radius = max(cells[i].radius, cells[i].centre.km(entries[id].at))
		cells[i].ids = append(cells[i].ids, int32(id))
	}
	return cells
}

// origin is the point from which distances count. To an unknown one everything is near.
type origin struct {
	at    vector
	known bool
}

func originOf(p *geo.Point) origin {
	if p == nil {
		return origin{}
	}
	return origin{vectorOf(*p), true}
}

func (o origin) km(v vector) float64 {
	if !o.known {
		return 0
	}
	return o.at.km(v)
}

// nearCell is a cell by its index, and the minimum distance of its entries.
type nearCell struct {
	cell int
	km   float64
}

// nearest lists the cells within reach, the nearest first.
func (c *Catalogue) nearest(from origin, reach float64) []nearCell {
	var near []nearCell
	for i := range c.cells {
		if km := max(0, from.km(c.cells[i].centre)-c.cells[i].radius); km <= reach {
			near = append(near, nearCell{i, km})
		}
	}
	slices.SortStableFunc(near, func(a, b nearCell) int { return cmp.Compare(a.km, b.km) })
	return near
}
