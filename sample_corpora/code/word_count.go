// Command wordcount prints the most frequent words of the files it is given,
// or of standard input. Each file is read by a goroutine of its own.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"sort"
	"strings"
	"sync"
	"unicode"
)

// Tally counts words. The zero value is ready to use after the first Add.
type Tally struct {
	mu     sync.Mutex
	counts map[string]int
	total  int
}

// Add merges the counts of one source into the tally.
func (t *Tally) Add(counts map[string]int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts == nil {
		t.counts = make(map[string]int, len(counts))
	}
	for word, n := range counts {
		t.counts[word] += n
		t.total += n
	}
}

type entry struct {
	word  string
	count int
}

// Top returns the n most frequent words; equal counts stand in alphabetical order.
func (t *Tally) Top(n int) []entry {
	t.mu.Lock()
	defer t.mu.Unlock()
	entries := make([]entry, 0, len(t.counts))
	for word, count := range t.counts {
		entries = append(entries, entry{word, count})
	}
	sort.Slice(entries, func(i, j int) bool {
		if entries[i].count != entries[j].count {
			return entries[i].count > entries[j].count
		}
		return entries[i].word < entries[j].word
	})
	if len(entries) > n {
		entries = entries[:n]
	}
	return entries
}

func countWords(r io.Reader) (map[string]int, error) {
	counts := map[string]int{}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64*1024), 16*1024*1024)
	isBoundary := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\''
	}
	for lines.Scan() {
		for _, word := range strings.FieldsFunc(lines.Text(), isBoundary) {
			counts[strings.ToLower(word)]++
		}
	}
	return counts, lines.Err()
}

func countFile(path string) (map[string]int, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open: %w", err)
	}
	defer file.Close()
	return countWords(file)
}

func main() {
	n := flag.Int("n", 10, "how many words to print")
	flag.Parse()

	var tally Tally
	if flag.NArg() == 0 {
		counts, err := countWords(os.Stdin)
		if err != nil {
			log.Fatal(err)
		}
		tally.Add(counts)
	}

	var wg sync.WaitGroup
	failures := make(chan error, flag.NArg())
	for _, path := range flag.Args() {
		wg.Add(1)
		go func(path string) {
			defer wg.Done()
			counts, err := countFile(path)
			if err != nil {
				failures <- fmt.Errorf("%s: %w", path, err)
				return
			}
			tally.Add(counts)
		}(path)
	}
	wg.Wait()
	close(failures)

	var all error
	for err := range failures {
		all = errors.Join(all, err)
	}
	for _, e := range tally.Top(*n) {
		fmt.Printf("%8d  %5.2f%%  %s\n", e.count, 100*float64(e.count)/float64(tally.total), e.word)
	}
	if all != nil {
		log.Fatal(all)
	}
}
