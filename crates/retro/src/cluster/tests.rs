use super::*;

#[test]
fn hosts_are_read_and_wrong_ones_are_pointed_at() {
    let hosts = Cluster::read_hosts("# the machines\nnode1:2101\n\n node2:2102 # the second\n").unwrap();
    assert_eq!(hosts, ["node1:2101", "node2:2102"]);
    for (text, at) in [("node1:1\nnode2\n", 8), ("node1:70000", 0), ("a b:1", 0), ("#\n", 0), (":2101", 0)] {
        assert_eq!(Cluster::read_hosts(text).unwrap_err().at, at, "{text}");
    }
}

#[test]
fn shares_are_whole_blocks() {
    let block = BLOCK as u64;
    assert_eq!(share(1, 4), block);
    assert_eq!(share(8 * block, 4), 2 * block);
    assert_eq!(share(8 * block + 1, 4), 3 * block);
}
