// The names of a template's tokens: activities, ways to meet, features and kinds of places.
const vocabulary = table(`
coffee||café|קפה
breakfast||desayuno|ארוחת בוקר
brunch|||בראנץ'
lunch||almuerzo|ארוחת צהריים
dinner||cena|ארוחת ערב
drinks||copas|משקה
meeting||reunión|פגישה
call||llamada|שיחה
video|Video call|Videollamada|שיחת וידאו
phone|Phone call|Llamada|שיחת טלפון
outdoor seating||terraza|ישיבה בחוץ
quiet||tranquilo|שקט
lively||animado|תוסס
cozy||acogedor|נעים
romantic||romántico|רומנטי
cheap||barato|זול
upscale||elegante|יוקרתי
vegan||vegano|טבעוני
vegetarian||vegetariano|צמחוני
gluten free||sin gluten|ללא גלוטן
halal|||חלאל
kosher|||כשר
kid friendly||para niños|לילדים
dog friendly||con perro|עם כלב
groups|for groups|para grupos|לקבוצות
wifi|||וויפי
view|with a view|con vistas|עם נוף
live music||música en vivo|מוזיקה חיה
parking||aparcamiento|חניה
wheelchair|step-free|accesible|נגיש
cafe|café|cafetería|בית קפה
tea house||casa de té|בית תה
bakery||panadería|מאפייה
dessert||postres|קינוחים
restaurant||restaurante|מסעדה
diner||cafetería americana|דיינר
deli||charcutería|מעדנייה
bar|||בר
pub|||פאב
cocktail bar||coctelería|בר קוקטיילים
wine bar||bar de vinos|בר יין
brewery||cervecería|מבשלת בירה
sports bar||bar deportivo|בר ספורט
park||parque|פארק
garden||jardín|גן
beach||playa|חוף ים
viewpoint||mirador|תצפית
hike||senderismo|טיול
museum||museo|מוזיאון
gallery||galería de arte|גלריה
attraction||atracción|אטרקציה
zoo|||גן חיות
aquarium||acuario|אקווריום
bowling||bolos|באולינג
cinema||cine|קולנוע
climbing||escalada|טיפוס
gym||gimnasio|חדר כושר
yoga|||יוגה
swimming||natación|שחייה
mini golf||minigolf|מיני גולף
golf|||גולף
arcade||salón recreativo|ארקייד
karaoke|||קריוקי
music venue||sala de conciertos|מועדון הופעות
theater||teatro|תיאטרון
comedy club||club de comedia|מועדון סטנדאפ
skating||patinaje|החלקה
tennis||tenis|טניס
market||mercado|שוק
bookstore||librería|חנות ספרים
library||biblioteca|ספרייה
coworking|||חלל עבודה משותף
hotel lobby||vestíbulo de hotel|לובי מלון
spa|||ספא
escape room||sala de escape|חדר בריחה
board games||juegos de mesa|משחקי קופסה
`);
