// Command contained is the program inside the image that tests of containers run: it tries the one thing its first argument names, and prints the result.
package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	mode := os.Args[1]
	switch mode {
	case "say":
		fmt.Print(strings.Join(os.Args[2:], " "))
	case "environment":
		list := os.Environ()
		slices.Sort(list)
		fmt.Print(strings.Join(list, "\n"))
	case "who":
		directory, _ := os.Getwd()
		host, _ := os.Hostname()
		fmt.Print(os.Getuid(), " ", os.Getgid(), " ", os.Getpid(), " ", directory, " ", host)
	case "exit":
		code := 0
		_, _ = fmt.Sscan(os.Args[2], &code)
		fmt.Fprint(os.Stderr, "as told")
		os.Exit(code)
	case "sleep":
		time.Sleep(time.Hour)
	case "endless":
		for page := bytes.Repeat([]byte{'x'}, 64<<10); ; {
			if _, err := os.Stdout.Write(page); err != nil {
				os.Exit(1)
			}
		}
	case "reach":
		reach(os.Args[2:])
	case "stubborn":
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		cmd := exec.Command("/contained", "stubborn", os.Args[2])
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if len(os.Args) == 3 {
			cmd.Args = append(cmd.Args, "child")
			_ = cmd.Start()
		}
		time.Sleep(time.Hour)
	case "bomb":
		bomb()
	case "forks":
		for {
			_ = exec.Command("/contained", "forks").Start()
		}
	case "fill":
		fill()
	case "hoard":
		hoard()
	case "linger":
		cmd := exec.Command("/contained", "sleep", os.Args[2])
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		fmt.Print(cmd.Start())
	case "escape":
		escape()
	}
}

// bomb makes processes until it cannot, all of which make more.
func bomb() {
	n := 0
	for range 5_000 {
		if exec.Command("/contained", "sleep").Start() != nil {
			break
		}
		n++
	}
	fmt.Print(n)
}

// reach sends a line to each address and prints what comes back, or that nothing does.
func reach(list []string) {
	for _, at := range list {
		c, err := net.DialTimeout("tcp", at, 5*time.Second)
		if err != nil {
			fmt.Println("nothing at", at)
			continue
		}
		_, _ = io.WriteString(c, "hello\n")
		_ = c.(*net.TCPConn).CloseWrite()
		text, _ := io.ReadAll(c)
		fmt.Printf("%s says %q\n", at, text)
		_ = c.Close()
	}
}

// fill writes to scratch until it is full.
func fill() {
	f, err := os.Create("/workspace/f")
	if err != nil {
		fmt.Print(err)
		return
	}
	page, n := make([]byte, 1<<20), 0
	for range 4_096 {
		if _, err := f.Write(page); err != nil {
			break
		}
		n++
	}
	fmt.Print(n)
}

// hoard takes memory until it has none, or four GiB.
func hoard() {
	var all [][]byte
	for range 4_096 {
		page := make([]byte, 1<<20)
		for i := 0; i < len(page); i += 4_096 {
			page[i] = 1
		}
		all = append(all, page)
	}
	fmt.Print(len(all))
}

// escape tries what nobody in a container may, and prints what succeeds.
func escape() {
	try := func(name string, do func() error) {
		if do() == nil {
			fmt.Println(name)
		}
	}
	try("write to the root", func() error { return os.WriteFile("/x", nil, 0o600) })
	try("write to a file of the image", func() error { return os.WriteFile("/contained", nil, 0o600) })
	try("write to /proc/sys", func() error { return os.WriteFile("/proc/sys/kernel/hostname", []byte("x"), 0o600) })
	try("core pattern", func() error { return os.WriteFile("/proc/sys/kernel/core_pattern", []byte("x"), 0o600) })
	try("sysrq", func() error { return os.WriteFile("/proc/sysrq-trigger", []byte("h"), 0o600) })
	try("mount", func() error { return syscall.Mount("none", "/tmp", "tmpfs", 0, "") })
	try("remount", func() error { return syscall.Mount("", "/", "", syscall.MS_REMOUNT|syscall.MS_BIND, "") })
	try("unmount", func() error { return syscall.Unmount("/proc", syscall.MNT_DETACH) })
	try("device", func() error { return syscall.Mknod("/workspace/d", syscall.S_IFBLK|0o600, 8<<8) })
	try("new user namespace", func() error { return syscall.Unshare(syscall.CLONE_NEWUSER) })
	try("root", func() error { return syscall.Setuid(0) })
	try("change root", func() error { return syscall.Chroot("/workspace") })
	try("host's name", func() error { return syscall.Sethostname([]byte("x")) })
	try("trace", func() error { return syscall.PtraceAttach(1) })
	try("dial", func() error {
		c, err := net.DialTimeout("tcp", os.Args[2], time.Second)
		if err == nil {
			_ = c.Close()
		}
		return err
	})
	try("abstract socket", func() error {
		c, err := net.Dial("unix", "@"+os.Args[3])
		if err == nil {
			_ = c.Close()
		}
		return err
	})
	try("clone into a user namespace", func() error {
		cmd := exec.Command("/contained", "say")
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER}
		return cmd.Run()
	})
	for _, path := range os.Args[4:] { // of the runner's
		for _, at := range []string{path, "/proc/1/root" + path, "/proc/1/cwd/../../../.." + path, "/proc/self/cwd/../../.." + path} {
			try("read "+at, func() error {
				_, err := os.ReadFile(at)
				return err
			})
		}
	}
	if info, err := os.Stat("/contained"); err == nil && info.Mode()&os.ModeSetuid != 0 {
		fmt.Println("a set-user-id program")
	}
	if list, err := filepath.Glob("/proc/*/environ"); err == nil {
		for _, path := range list {
			if text, err := os.ReadFile(path); err == nil && bytes.Contains(text, []byte("COWBOY_HIDDEN")) {
				fmt.Println("the runner's environment in", path)
			}
		}
	}
	for fd := 3; fd < 64; fd++ {
		if to, err := os.Readlink(fmt.Sprint("/proc/self/fd/", fd)); err == nil && !strings.HasPrefix(to, "anon_inode:") {
			fmt.Println("descriptor", fd, to)
		}
	}
	if list, err := os.ReadDir("/proc"); err == nil {
		for _, e := range list {
			if text, err := os.ReadFile("/proc/" + e.Name() + "/cmdline"); err == nil && e.Name()[0] <= '9' && !bytes.Contains(text, []byte("contained")) {
				fmt.Println("process", e.Name(), string(text))
			}
		}
	}
	if links, err := net.Interfaces(); err == nil {
		for _, l := range links {
			if l.Name != "lo" {
				fmt.Println("interface", l.Name)
			}
		}
	}
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "Cap") && strings.Trim(line[7:], "0\n\t ") != "" || line == "NoNewPrivs:\t0\n" || line == "Seccomp:\t0\n" {
			fmt.Println(line)
		}
	}
}
