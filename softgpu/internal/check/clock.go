package check

// clock is what one workgroup knows of others, or what an atomic passes on: of
// each, up to which time all it did comes before. It is a vector clock that
// gives up where it would get long: then everything before the latest time that
// it holds counts as known, so that no order is overlooked.
type clock struct {
	floor uint32 // of all workgroups, accesses before this time are known
	at    map[uint32]uint32
}

// longestClock is how many workgroups a clock tells apart.
const longestClock = 128

// knows tells whether an access of group at time is known.
func (c *clock) knows(group, time uint32) bool {
	return c != nil && (time < c.floor || time < c.at[group])
}

// learn takes note that accesses of group before time are known.
func (c *clock) learn(group, time uint32) {
	if time <= c.floor || time <= c.at[group] {
		return
	}
	if c.at == nil {
		c.at = map[uint32]uint32{}
	}
	c.at[group] = time
	if len(c.at) > longestClock {
		for _, t := range c.at {
			c.floor = max(c.floor, t)
		}
		clear(c.at)
	}
}

// join learns everything that o knows.
func (c *clock) join(o *clock) {
	if o == nil || o == c {
		return
	}
	if o.floor > c.floor {
		c.floor = o.floor
	}
	for group, time := range o.at {
		c.learn(group, time)
	}
}
