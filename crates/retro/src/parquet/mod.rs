//! Rows for other programs as Parquet: flat columns of numbers and texts, in pages compressed with zstd.
//!
//! The format is that of parquet-format 2.x with what every reader knows: data pages of version 1, values PLAIN, one page a
//! column and row group. A file is `PAR1`, the pages of group after group, the *footer* (what the columns are and where
//! their pages begin), its length and `PAR1` again. Headers of pages and the footer are structures of Thrift in its compact
//! protocol: fields with their numbers, and numbers of seven bits a byte. Nothing is ever sought in the output, and no more
//! than a group is held in memory, beside some hundred bytes for each that is written.

use std::io::{Error, ErrorKind, Result, Write};

/// A group ends after so many rows...
const ROWS: usize = 1 << 16;
/// ... or so many bytes of one column.
const BYTES: usize = 8 << 20;
/// How hard pages are compressed.
const LEVEL: i32 = 3;
const MAGIC: &[u8] = b"PAR1";

/// Numbers of the format.
const PLAIN: i64 = 0;
const RLE: i64 = 3;
const ZSTD: i64 = 6;
const DATA_PAGE: i64 = 0;
const UTF8: i64 = 0;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Numbers of 32 bits; some may be missing.
    Number,
    /// Numbers of 64 bits, in every row.
    Long,
    /// Texts, in every row.
    Text,
}

impl Kind {
    /// The number of its type.
    const fn code(self) -> i64 {
        match self {
            Self::Number => 1,
            Self::Long => 2,
            Self::Text => 6,
        }
    }

    /// May a row have none?
    const fn is_optional(self) -> bool {
        matches!(self, Self::Number)
    }
}

/// What a row has in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field<'a> {
    /// Of a column of [`Kind::Number`].
    Number(Option<i32>),
    /// Of a column of [`Kind::Long`].
    Long(i64),
    /// Of a column of [`Kind::Text`].
    Text(&'a str),
}

/// A column of the group that is being gathered.
struct Column {
    name: String,
    kind: Kind,
    values: Vec<u8>,
    /// Of an optional column, runs of rows that have a value or have none.
    runs: Vec<(usize, bool)>,
}

/// Where a page went, and its bytes with the header, before and after compression.
struct Chunk {
    at: usize,
    plain: usize,
    packed: usize,
}

/// Writes rows.
pub struct Rows<W: Write> {
    out: W,
    written: usize,
    columns: Vec<Column>,
    gathered: usize,
    groups: Vec<(usize, Vec<Chunk>)>,
}

impl<W: Write> Rows<W> {
    /// Of these columns.
    pub fn new(out: W, columns: impl IntoIterator<Item = (String, Kind)>) -> Result<Self> {
        let of = |(name, kind)| Column { name, kind, values: Vec::new(), runs: Vec::new() };
        let columns = columns.into_iter().map(of).collect();
        let mut rows = Self { out, written: 0, columns, gathered: 0, groups: Vec::new() };
        rows.put(MAGIC)?;
        Ok(rows)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.written += bytes.len();
        self.out.write_all(bytes)
    }

    /// Adds a row: a field for each column, of its kind.
    pub fn row(&mut self, fields: &[Field<'_>]) -> Result<()> {
        let fits = |(column, field): (&Column, &Field<'_>)| {
            matches!(
                (column.kind, field),
                (Kind::Number, Field::Number(_))
                    | (Kind::Long, Field::Long(_))
                    | (Kind::Text, Field::Text(_))
            )
        };
        if fields.len() != self.columns.len() || !self.columns.iter().zip(fields).all(fits) {
            return Err(Error::new(ErrorKind::InvalidInput, "a row must have a field of each column's kind"));
        }
        let mut fullest = 0;
        for (column, field) in self.columns.iter_mut().zip(fields) {
            match field {
                Field::Number(value) => {
                    column.values.extend(value.iter().flat_map(|value| value.to_le_bytes()));
                    match column.runs.last_mut() {
                        Some((many, there)) if *there == value.is_some() => *many += 1,
                        _ => column.runs.push((1, value.is_some())),
                    }
                }
                Field::Long(value) => column.values.extend(value.to_le_bytes()),
                Field::Text(text) => {
                    column.values.extend((text.len() as u32).to_le_bytes());
                    column.values.extend(text.bytes());
                }
            }
            fullest = fullest.max(column.values.len());
        }
        self.gathered += 1;
        if self.gathered >= ROWS || fullest >= BYTES { self.end_group() } else { Ok(()) }
    }

    fn end_group(&mut self) -> Result<()> {
        if self.gathered == 0 {
            return Ok(());
        }
        let mut chunks = Vec::new();
        for i in 0..self.columns.len() {
            let column = &mut self.columns[i];
            let page = column.take_page();
            let packed = zstd::bulk::compress(&page, LEVEL)?;
            let mut header = Thrift::default();
            header.number(1, I32, DATA_PAGE);
            header.number(2, I32, page.len() as i64);
            header.number(3, I32, packed.len() as i64);
            header.structure(5, |data| {
                data.number(1, I32, self.gathered as i64);
                data.number(2, I32, PLAIN);
                data.number(3, I32, RLE);
                data.number(4, I32, RLE);
            });
            let header = header.end();
            let at = self.written;
            self.put(&header)?;
            self.put(&packed)?;
            chunks.push(Chunk { at, plain: header.len() + page.len(), packed: header.len() + packed.len() });
        }
        self.groups.push((self.gathered, chunks));
        self.gathered = 0;
        Ok(())
    }

    /// Writes the footer.
    pub fn finish(mut self) -> Result<()> {
        self.end_group()?;
        let footer = self.footer();
        self.put(&footer)?;
        self.put(&(footer.len() as u32).to_le_bytes())?;
        self.put(MAGIC)?;
        self.out.flush()
    }

    fn footer(&self) -> Vec<u8> {
        let mut footer = Thrift::default();
        footer.number(1, I32, 1);
        footer.list(2, STRUCT, self.columns.len() + 1);
        footer.element(|root| {
            root.text(4, "rows");
            root.number(5, I32, self.columns.len() as i64);
        });
        for column in &self.columns {
            footer.element(|leaf| {
                leaf.number(1, I32, column.kind.code());
                leaf.number(3, I32, i64::from(column.kind.is_optional()));
                leaf.text(4, &column.name);
                if column.kind == Kind::Text {
                    leaf.number(6, I32, UTF8);
                }
            });
        }
        footer.number(3, I64, self.groups.iter().map(|(rows, _)| *rows as i64).sum());
        footer.list(4, STRUCT, self.groups.len());
        for (rows, chunks) in &self.groups {
            footer.element(|group| {
                group.list(1, STRUCT, chunks.len());
                for (column, chunk) in self.columns.iter().zip(chunks) {
                    group.element(|place| {
                        place.number(2, I64, chunk.at as i64);
                        place.structure(3, |about| column.describe(chunk, *rows, about));
                    });
                }
                group.number(2, I64, chunks.iter().map(|chunk| chunk.plain as i64).sum());
                group.number(3, I64, *rows as i64);
            });
        }
        footer.text(6, concat!("endspiel version ", env!("CARGO_PKG_VERSION")));
        footer.end()
    }
}

impl Column {
    /// The bytes of its page: which rows have a value, if some may have none, and the values.
    fn take_page(&mut self) -> Vec<u8> {
        let values = std::mem::take(&mut self.values);
        if !self.kind.is_optional() {
            return values;
        }
        let mut runs = Vec::new();
        for (many, there) in self.runs.drain(..) {
            varint(&mut runs, (many as u64) << 1);
            runs.push(u8::from(there));
        }
        [&(runs.len() as u32).to_le_bytes(), &runs[..], &values[..]].concat()
    }

    fn describe(&self, chunk: &Chunk, rows: usize, about: &mut Thrift) {
        about.number(1, I32, self.kind.code());
        about.list(2, I32, 2);
        zigzag(&mut about.bytes, PLAIN);
        zigzag(&mut about.bytes, RLE);
        about.list(3, BINARY, 1);
        about.bare_text(&self.name);
        about.number(4, I32, ZSTD);
        about.number(5, I64, rows as i64);
        about.number(6, I64, chunk.plain as i64);
        about.number(7, I64, chunk.packed as i64);
        about.number(9, I64, chunk.at as i64);
    }
}

/// Types of Thrift.
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

fn varint(out: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn zigzag(out: &mut Vec<u8>, number: i64) {
    varint(out, (number << 1 ^ number >> 63) as u64);
}

/// A structure in the compact protocol; its fields come in rising order.
#[derive(Default)]
struct Thrift {
    bytes: Vec<u8>,
    last: u8,
}

impl Thrift {
    fn field(&mut self, id: u8, kind: u8) {
        self.bytes.push((id - self.last) << 4 | kind);
        self.last = id;
    }

    fn number(&mut self, id: u8, kind: u8, number: i64) {
        self.field(id, kind);
        zigzag(&mut self.bytes, number);
    }

    fn bare_text(&mut self, text: &str) {
        varint(&mut self.bytes, text.len() as u64);
        self.bytes.extend(text.bytes());
    }

    fn text(&mut self, id: u8, text: &str) {
        self.field(id, BINARY);
        self.bare_text(text);
    }

    /// Begins a list; its elements follow.
    fn list(&mut self, id: u8, kind: u8, many: usize) {
        self.field(id, LIST);
        if many < 15 {
            self.bytes.push((many as u8) << 4 | kind);
        } else {
            self.bytes.push(0xf0 | kind);
            varint(&mut self.bytes, many as u64);
        }
    }

    /// A structure that stands in a list.
    fn element(&mut self, write: impl FnOnce(&mut Self)) {
        let before = std::mem::take(&mut self.last);
        write(self);
        self.bytes.push(0);
        self.last = before;
    }

    fn structure(&mut self, id: u8, write: impl FnOnce(&mut Self)) {
        self.field(id, STRUCT);
        self.element(write);
    }

    fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

#[cfg(test)]
mod tests;
