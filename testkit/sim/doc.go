// Package sim holds the long seeded runs: the same workload under different schedules, and the node's executables under kills.
package sim
