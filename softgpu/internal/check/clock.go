package check

// clock is what one workgroup knows of others, or what an atomic passes on: for each other workgroup, the time before
// which all its accesses come before. It is a vector clock of limited length. Beyond the limit, everything before its
// latest time counts as known, so that no order is missed.
type clock struct {
	floor uint32 // accesses of all workgroups before this time are known
	at    map[uint32]uint32
}

// longestClock is the number of workgroups that a clock distinguishes.
const longestClock = 128

// knows reports whether an access of group at time is known.
func (c *clock) knows(group, time uint32) bool {
	return c != nil && (time < c.floor || time < c.at[group])
}

// learn notes that accesses of group before time are known.
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

// join adds everything that o knows.
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
