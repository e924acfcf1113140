package offline
import ("testing";"fmt";"bufio";"os";"strings")
func TestZZ(t *testing.T){
 f,_:=os.Open("/tmp/spine17/zz.txt")
 sc:=bufio.NewScanner(f)
 for sc.Scan(){
  l:=sc.Text(); if l==""{continue}
  prev:=false
  if strings.HasPrefix(l,"+"){prev=true;l=l[1:]}
  talk:=Talk{}
  if prev {talk.Turns=[]Exchange{{User:"what do i have tomorrow",Assistant:"(schedule)"}}}
  u:=Understand(l,talk)
  i,fam,c:=Kind(l,talk)
  ab:=pointing{}
  if prev {ab=pointing{shown:3,again:true}}
  ops:=operations(l,languageIn(readable(l),nil),someDay,known{},ab)
  fmt.Printf("%s => %s | kind %q %v %.2f\n",l,u.Intent,i,fam,c)
  for _,o:=range ops{ fmt.Printf("     %s sure=%v missing=%q titles=%v from=%v win=%v tod=%v nth=%d one=%v scope=%q texts=%v who=%v with=%v time=%v exact=%v open=%v aside=%q\n",o.verb,o.sure,o.missing,o.events.TitleHas,o.events.From,o.events.Window,o.events.TimeOfDay,o.events.nth,o.events.One!=nil,o.scope,o.texts,o.who,o.events.With,o.time.Dates,o.time.Exact,o.open,o.aside)}
 }
}
