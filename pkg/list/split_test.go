package list_test

import (
	"fmt"
	"strings"
	"testing"

	"convene/pkg/list"
)

// told writes items in short: "bread×2 wine×2 bottles".
func told(items []list.Item) string {
	var all []string
	for _, i := range items {
		text := i.Text
		if i.Quantity != 1 || i.Unit != "" {
			text = strings.TrimSpace(fmt.Sprintf("%s×%g %s", i.Text, i.Quantity, i.Unit))
		}
		all = append(all, text)
	}
	return strings.Join(all, " | ")
}

func TestItems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ tag, said, want string }{
		{"en", "milk, two breads and those small cheeses", "milk | breads×2 | small cheeses"},
		{"en", "bananas", "bananas"},
		{"en", "eggs, oh and get 3 lemons and a bag of rice", "eggs | lemons×3 | rice×1 bag"},
		{"en", "salt, no wait, pepper", "pepper"},
		{"es", "sal, mejor dicho, azúcar y té", "azúcar | té"},
		{"en", "Milk", "Milk"},
		{"en", "eggs and milk and butter", "eggs | milk | butter"},
		{"en", "a dozen eggs, half a dozen rolls, two dozen plates", "eggs×12 | rolls×6 | plates×24"},
		{"en", "two bottles of red wine and a can of beans", "red wine×2 bottles | beans×1 can"},
		{"en", "a can opener", "can opener"},
		{"en", "500g flour, 1.5 kg of potatoes and 2 l milk", "flour×500 g | potatoes×1.5 kg | milk×2 l"},
		{"en", "one and a half kilos of apples and 2 and a half pounds of pears", "apples×1.5 kilos | pears×2.5 pounds"},
		{"en", "mac and cheese, salt and vinegar chips and beer", "mac and cheese | salt and vinegar chips | beer"},
		{"en", "milk x2, 3x yogurt, soap (4)", "milk×2 | yogurt×3 | soap×4"},
		{"en", "2% milk and AA batteries", "2% milk | AA batteries"},
		{"en", "also some bread please", "bread"},
		{"en", "- milk\n- 2 eggs\n3. tea", "milk | eggs×2 | tea"},
		{"en", "a couple of lemons, the good olives", "lemons×2 | good olives"},
		{"en", "half a watermelon", "watermelon×0.5"},
		{"en", "toothbrush; sunscreen; a pair of shoes", "toothbrush | sunscreen | shoes×2"},
		{"en", "½ pumpkin, 1/2 cabbage", "pumpkin×0.5 | cabbage×0.5"},
		{"en", "", ""},
		{"en", " , and , ", ""},
		{"en", "kilo", "kilo"},
		{"es", "leche, dos panes y esos quesos pequeños", "leche | panes×2 | quesos pequeños"},
		{"es", "un kilo de tomates, media docena de huevos y 1,5 l de aceite", "tomates×1 kilo | huevos×6 | aceite×1.5 l"},
		{"es", "dos botellas de vino y unas aceitunas", "vino×2 botellas | aceitunas"},
		{"es", "dos kilos y medio de patatas", "patatas×2.5 kilos"},
		{"es-MX", "la crema de maní", "crema de maní"},
		{"he", "חלב, שני לחמים וגבינות קטנות", "חלב | לחמים×2 | גבינות קטנות"},
		{"en", "חלב, שני לחמים ואת הגבינות הקטנות", "חלב | לחמים×2 | הגבינות הקטנות"},
		{"he", "ביצים וחלב ולחם אחד", "ביצים | חלב | לחם"},
		{"he", "גלידת וניל וופלים", "גלידת וניל וופלים"},
		{"he", "קילו וחצי עגבניות וחצי אבטיח", "עגבניות×1.5 קילו | אבטיח×0.5"},
		{"he", "2 ק\"ג תפוחי אדמה ושתי חבילות קפה", "תפוחי אדמה×2 ק\"ג | קפה×2 חבילות"},
		{"he", "פסטה, קילו גזר וליטר מיץ", "פסטה | גזר×1 קילו | מיץ×1 ליטר"},
		{"he", "תריסר ביצים, חצי קילו גבינה", "ביצים×12 | גבינה×0.5 קילו"},
	} {
		if got := told(list.Items(c.said, c.tag)); got != c.want {
			t.Errorf("%s %q: %s; want %s", c.tag, c.said, got, c.want)
		}
	}
}
