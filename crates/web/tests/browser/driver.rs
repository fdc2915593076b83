//! A real browser, driven over the WebDriver protocol (W3C): just what the tests need of it.

use crate::common::{Reply, answer};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// Are tests with a browser asked for? They need Chromium and its driver.
pub fn wanted() -> bool {
    let wanted = std::env::var_os("ENDSPIEL_BROWSER").is_some();
    if !wanted {
        println!("skipped: set ENDSPIEL_BROWSER=1 to run this in Chromium");
    }
    wanted
}

/// How the window is.
#[derive(Clone, Copy)]
pub struct Window {
    pub width: u32,
    pub height: u32,
    pub dark: bool,
}

pub const WIDE: Window = Window { width: 1280, height: 900, dark: false };
pub const PHONE: Window = Window { width: 360, height: 740, dark: false };

/// A browser with one window; it closes when it is dropped.
pub struct Browser {
    driver: Child,
    /// Held open: the driver would trip over a closed pipe.
    _says: BufReader<ChildStdout>,
    address: SocketAddr,
    session: String,
    profile: PathBuf,
}

const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

impl Browser {
    pub fn open(window: Window) -> Self {
        let (driver, says, port) = started();
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let name = format!("endspiel-chromium-{}-{port}", std::process::id());
        let profile = std::env::temp_dir().join(name);
        let mut browser = Self { driver, _says: says, address, session: String::new(), profile };
        let mut arguments = vec![
            "--headless".to_string(),
            "--no-sandbox".into(),
            "--disable-gpu".into(),
            "--disable-quic".into(),
            "--no-first-run".into(),
            "--disable-background-networking".into(),
            "--disable-component-update".into(),
            "--disable-sync".into(),
            "--disable-dev-shm-usage".into(),
            "--hide-scrollbars".into(),
            format!("--user-data-dir={}", browser.profile.display()),
            format!("--window-size={},{}", window.width.max(500), window.height),
        ];
        if window.dark {
            arguments.push("--force-dark-mode".into());
            arguments.push("--blink-settings=preferredColorScheme=0".into());
        }
        let capabilities = json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": {"args": arguments},
            "goog:loggingPrefs": {"browser": "ALL"},
        }}});
        let session = browser.call("POST", "/session", &capabilities);
        browser.session = session["sessionId"].as_str().expect("a session").into();
        // Headless windows have a least width; the emulated screen has not.
        let metrics = json!({"cmd": "Emulation.setDeviceMetricsOverride", "params": {
            "width": window.width, "height": window.height, "deviceScaleFactor": 1, "mobile": window.width < 500,
        }});
        browser.ask("POST", "goog/cdp/execute", &metrics);
        browser
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        let reply = self.send(method, path, body).expect("chromedriver answers");
        let value = reply.json()["value"].clone();
        assert_eq!(reply.status, 200, "{method} {path}: {value}");
        value
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> std::io::Result<Reply> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(Duration::from_secs(120)))?;
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )?;
        Ok(answer(&mut BufReader::new(stream)))
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        self.call(method, &format!("/session/{}/{path}", self.session), body)
    }

    pub fn go(&self, url: &str) {
        self.ask("POST", "url", &json!({"url": "about:blank"}));
        self.ask("POST", "url", &json!({"url": url}));
        self.until("document.documentElement.dataset.ready === 'yes'");
    }

    /// Loads the page anew.
    pub fn reload(&self) {
        self.ask("POST", "refresh", &json!({}));
        self.until("document.documentElement.dataset.ready === 'yes'");
    }

    /// Leaves the page, as closing the tab does.
    pub fn leave(&self) {
        self.ask("POST", "url", &json!({"url": "about:blank"}));
    }

    /// Goes back, as the browser's own button does.
    pub fn back(&self) {
        self.ask("POST", "back", &json!({}));
    }

    /// What an expression gives in the page.
    pub fn eval(&self, expression: &str) -> Value {
        self.ask("POST", "execute/sync", &json!({"script": format!("return {expression}"), "args": []}))
    }

    pub fn text(&self, selector: &str) -> String {
        let found = self.eval(&format!("document.querySelector({}).textContent", json!(selector)));
        found.as_str().unwrap_or_default().into()
    }

    /// Waits until an expression is true.
    pub fn until(&self, expression: &str) {
        let begun = Instant::now();
        while self.eval(expression) != json!(true) {
            if begun.elapsed() > Duration::from_secs(60) {
                let says = self.eval("document.body.innerText");
                panic!("never true: {expression}\n{}", says.as_str().unwrap_or_default());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn find(&self, selector: &str) -> String {
        let found = self.ask("POST", "element", &json!({"using": "css selector", "value": selector}));
        found[ELEMENT].as_str().expect("an element").into()
    }

    /// Clicks with the mouse in the middle of an element.
    pub fn click(&self, selector: &str) {
        let element = self.find(selector);
        self.ask("POST", &format!("element/{element}/click"), &json!({}));
    }

    /// Carries something from the middle of one element to that of another with a `mouse` or by `touch`.
    pub fn drag(&self, by: &str, from: &str, to: &str) {
        let at = |selector: &str| json!({"type": "pointerMove", "duration": 50, "x": 0, "y": 0, "origin": {ELEMENT: self.find(selector)}});
        let actions = [
            at(from),
            json!({"type": "pointerDown", "button": 0}),
            at(to),
            json!({"type": "pointerUp", "button": 0}),
        ];
        let mouse =
            json!({"type": "pointer", "id": by, "parameters": {"pointerType": by}, "actions": actions});
        self.ask("POST", "actions", &json!({"actions": [mouse]}));
    }

    /// Types into an element; a file's path into a file input chooses it.
    pub fn type_into(&self, selector: &str, text: &str) {
        let element = self.find(selector);
        self.ask("POST", &format!("element/{element}/value"), &json!({"text": text}));
    }

    /// Presses keys, wherever the focus is.
    pub fn keys(&self, keys: &[&str]) {
        let press =
            |key: &&str| [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})];
        let actions: Vec<Value> = keys.iter().flat_map(press).collect();
        self.ask("POST", "actions", &json!({"actions": [{"type": "key", "id": "keys", "actions": actions}]}));
    }

    pub fn screenshot(&self, file: &Path) {
        let picture = self.ask("GET", "screenshot", &Value::Null);
        std::fs::write(file, base64(picture.as_str().expect("a picture"))).expect("written");
    }

    /// Fails if something was written to the console.
    pub fn quiet(&self) {
        let log = self.ask("POST", "se/log", &json!({"type": "browser"}));
        assert_eq!(log, json!([]), "the console is quiet");
    }

    /// Fails if the page complained.
    pub fn no_errors(&self) {
        self.quiet();
        assert_eq!(self.text("#error"), "");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            // The driver closes its browser; a test that failed already has said why.
            let _ = self.send("DELETE", &format!("/session/{}", self.session), &Value::Null);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

/// A chromedriver and the port that it took. It takes a port that is free in IPv6 and gives up if somebody has the same
/// one in IPv4, so it is asked more than once.
fn started() -> (Child, BufReader<ChildStdout>, u16) {
    let mut heard = String::new();
    for _ in 0..10 {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is installed");
        let mut says = BufReader::new(driver.stdout.take().expect("its words"));
        match port(&mut says) {
            Ok(port) => return (driver, says, port),
            Err(words) => heard = words,
        }
        let _ = driver.kill();
        let _ = driver.wait();
    }
    panic!("chromedriver does not start: {heard}");
}

/// The port that chromedriver took, from what it says when it has started; or all that it said.
fn port(says: &mut impl BufRead) -> Result<u16, String> {
    let mut heard = String::new();
    for line in says.lines().map_while(Result::ok) {
        if let Some((_, port)) = line.split_once("started successfully on port ") {
            return Ok(port.trim_end_matches('.').parse().expect("a port"));
        }
        heard += &(line + "\n");
    }
    Err(heard)
}

/// Reads base64 (RFC 4648).
fn base64(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => Some(c - b'A'),
        b'a'..=b'z' => Some(c - b'a' + 26),
        b'0'..=b'9' => Some(c - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u32> = text.bytes().filter_map(digit).map(u32::from).collect();
    let mut out = Vec::with_capacity(digits.len() * 3 / 4);
    for group in digits.chunks(4) {
        let bits = group.iter().fold(0, |sum, d| sum << 6 | d) << (6 * (4 - group.len()));
        out.extend_from_slice(&bits.to_be_bytes()[1..group.len()]);
    }
    out
}
