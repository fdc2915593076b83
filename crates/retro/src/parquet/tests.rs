//! Files read back byte by byte: by a reader of Thrift that knows no structure, and by what the format says of footers and
//! pages.

use super::*;
use std::collections::BTreeMap;

/// What Thrift can hold of what we write.
#[derive(Clone, Debug, PartialEq)]
enum Item {
    Number(i64),
    Bytes(Vec<u8>),
    List(Vec<Item>),
    Structure(BTreeMap<u8, Item>),
}

impl Item {
    fn at(&self, id: u8) -> &Self {
        let Self::Structure(fields) = self else { panic!("{self:?} is no structure") };
        fields.get(&id).unwrap_or_else(|| panic!("no field {id} in {self:?}"))
    }

    fn number(&self) -> i64 {
        let Self::Number(number) = self else { panic!("{self:?} is no number") };
        *number
    }

    fn text(&self) -> &str {
        let Self::Bytes(bytes) = self else { panic!("{self:?} is no text") };
        std::str::from_utf8(bytes).unwrap()
    }

    fn list(&self) -> &[Self] {
        let Self::List(list) = self else { panic!("{self:?} is no list") };
        list
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap();
        self.0 = rest;
        *first
    }

    fn take(&mut self, many: usize) -> Vec<u8> {
        let (first, rest) = self.0.split_at(many);
        self.0 = rest;
        first.to_vec()
    }

    fn varint(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            number |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return number;
            }
        }
    }

    fn item(&mut self, kind: u8) -> Item {
        match kind {
            5 | 6 => {
                let number = self.varint();
                Item::Number((number >> 1) as i64 ^ -((number & 1) as i64))
            }
            8 => {
                let many = self.varint() as usize;
                Item::Bytes(self.take(many))
            }
            9 => {
                let head = self.byte();
                let many = if head >> 4 == 15 { self.varint() } else { u64::from(head >> 4) };
                Item::List((0..many).map(|_| self.item(head & 15)).collect())
            }
            12 => {
                let (mut fields, mut last) = (BTreeMap::new(), 0);
                loop {
                    let head = self.byte();
                    if head == 0 {
                        return Item::Structure(fields);
                    }
                    assert!(head >> 4 > 0, "all our fields are near each other");
                    last += head >> 4;
                    assert!(fields.insert(last, self.item(head & 15)).is_none());
                }
            }
            other => panic!("type {other}"),
        }
    }
}

/// The names of the columns and the rows of a file, every field as text; and the rows of each group.
fn read(file: &[u8]) -> (Vec<String>, Vec<Vec<String>>, Vec<i64>) {
    assert!(file.starts_with(MAGIC) && file.ends_with(MAGIC));
    let end = file.len() - 8;
    let length = u32::from_le_bytes(file[end..end + 4].try_into().unwrap()) as usize;
    let mut reader = Reader(&file[end - length..end]);
    let footer = reader.item(12);
    assert!(reader.0.is_empty(), "the footer has the length that is told");
    let schema = footer.at(2).list();
    assert_eq!(schema[0].at(5).number() as usize, schema.len() - 1);
    let names = schema[1..].iter().map(|leaf| leaf.at(4).text().to_string()).collect();
    let (mut rows, mut sizes, mut expected) = (Vec::new(), Vec::new(), MAGIC.len());
    for group in footer.at(4).list() {
        let many = group.at(3).number();
        sizes.push(many);
        let mut columns = Vec::new();
        for (leaf, chunk) in schema[1..].iter().zip(group.at(1).list()) {
            let about = chunk.at(3);
            assert_eq!(about.at(3).list()[0], *leaf.at(4));
            assert_eq!((about.at(1), about.at(4).number()), (leaf.at(1), ZSTD));
            assert_eq!(about.at(5).number(), many);
            let at = about.at(9).number() as usize;
            assert_eq!(at, expected, "pages follow one another");
            let mut reader = Reader(&file[at..]);
            let header = reader.item(12);
            assert_eq!(header.at(5).at(1).number(), many);
            let before = reader.0.len();
            let packed = reader.take(header.at(3).number() as usize);
            let plain = header.at(2).number();
            let page = zstd::bulk::decompress(&packed, plain as usize).unwrap();
            assert_eq!(page.len() as i64, plain);
            expected = file.len() - reader.0.len();
            assert_eq!(about.at(7).number() as usize, expected - at);
            assert_eq!(about.at(6).number(), plain + (file.len() - at - before) as i64);
            columns.push(values(&page, leaf, many as usize));
        }
        rows.extend((0..many as usize).map(|i| columns.iter().map(|c| c[i].clone()).collect::<Vec<_>>()));
    }
    assert_eq!(expected, end - length, "nothing stands between the last page and the footer");
    assert_eq!(footer.at(3).number() as usize, rows.len());
    (names, rows, sizes)
}

fn values(page: &[u8], leaf: &Item, many: usize) -> Vec<String> {
    let mut reader = Reader(page);
    let mut there = vec![true; many];
    if leaf.at(3).number() == 1 {
        let length = u32::from_le_bytes(reader.take(4).try_into().unwrap()) as usize;
        let bytes = reader.take(length);
        let mut runs = Reader(&bytes);
        there.clear();
        while !runs.0.is_empty() {
            let head = runs.varint();
            assert_eq!(head & 1, 0, "a run of one value");
            let value = runs.byte() == 1;
            there.extend((0..head >> 1).map(|_| value));
        }
        assert_eq!(there.len(), many);
    }
    let value = |reader: &mut Reader<'_>| match leaf.at(1).number() {
        1 => i32::from_le_bytes(reader.take(4).try_into().unwrap()).to_string(),
        2 => i64::from_le_bytes(reader.take(8).try_into().unwrap()).to_string(),
        _ => {
            assert_eq!(leaf.at(6).number(), UTF8);
            let length = u32::from_le_bytes(reader.take(4).try_into().unwrap()) as usize;
            String::from_utf8(reader.take(length)).unwrap()
        }
    };
    let found = there.iter().map(|&t| if t { value(&mut reader) } else { String::new() }).collect();
    assert!(reader.0.is_empty(), "nothing is left of the page");
    found
}

fn columns() -> [(String, Kind); 3] {
    [("name".into(), Kind::Text), ("index".into(), Kind::Long), ("depth".into(), Kind::Number)]
}

#[test]
fn what_is_written_is_read_back() {
    let mut file = Vec::new();
    let mut rows = Rows::new(&mut file, columns()).unwrap();
    let mut expected = Vec::new();
    for i in 0..ROWS as i64 + 700 {
        let (name, index) = (format!("{}é", i % 1000), (i - 300) << 33);
        let depth = (i % 7 != 0 && !(400..900).contains(&i)).then_some((i * 77 - 90) as i32);
        rows.row(&[Field::Text(&name), Field::Long(index), Field::Number(depth)]).unwrap();
        expected.push(vec![name, index.to_string(), depth.map_or_else(String::new, |d| d.to_string())]);
    }
    rows.finish().unwrap();
    let (names, found, groups) = read(&file);
    assert_eq!(names, ["name", "index", "depth"]);
    assert_eq!(groups, [ROWS as i64, 700]);
    assert!(found == expected, "the rows come back");
}

#[test]
fn groups_are_bounded_and_there_may_be_none() {
    let mut file = Vec::new();
    Rows::new(&mut file, columns()).unwrap().finish().unwrap();
    assert_eq!(read(&file).1.len(), 0);
    // Twenty groups have a longer list; a column that is full ends a group.
    let mut file = Vec::new();
    let long = "x".repeat(BYTES / 2);
    let mut rows = Rows::new(&mut file, [("text".to_string(), Kind::Text)]).unwrap();
    (0..40).for_each(|_| rows.row(&[Field::Text(&long)]).unwrap());
    rows.finish().unwrap();
    assert_eq!(read(&file).2, [2; 20]);
}

#[test]
fn rows_of_another_shape_are_refused() {
    let mut rows = Rows::new(Vec::new(), columns()).unwrap();
    assert!(rows.row(&[Field::Text("a"), Field::Long(1)]).is_err());
    assert!(rows.row(&[Field::Text("a"), Field::Number(None), Field::Long(1)]).is_err());
    assert_eq!(rows.gathered, 0);
}
