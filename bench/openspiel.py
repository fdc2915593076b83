"""Simulations a second of UCT beside OpenSpiel's C++ Monte-Carlo bot with random rollouts, one thread each, in turns.

    python3 -m venv /tmp/peer && /tmp/peer/bin/pip install open_spiel
    cargo build --release && /tmp/peer/bin/python bench/openspiel.py target/release/endspiel

Both begin at the start of the game, keep a tree and play one random game a simulation. Printed are the medians of
five rounds and of their ratios.
"""

import json
import statistics
import subprocess
import sys
import time

import pyspiel

# Our name, theirs, and how many simulations of each make about a second.
GAMES = [
    ("connect-four", "connect_four", 1_000_000, 60_000),
    ("othello", "othello", 200_000, 2_000),
    ("hex", "hex(board_size=11)", 400_000, 10_000),
    ("amazons", "amazons", 60_000, 8_000),
    ("lines-of-action", "lines_of_action", 50_000, 600),
]


def ours(endspiel, game, count):
    """Simulations a second as the program itself counts them."""
    command = [endspiel, "solve", game, "--method", "uct", "--nodes", str(count), "--threads", "1", "--json"]
    answer = json.loads(subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)
    return answer["nodes"] / answer["seconds"]


def theirs(name, count):
    """Simulations a second of the peer's bot."""
    game = pyspiel.load_game(name)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, count, 2000, False, 1, False)
    begun = time.perf_counter()
    bot.mcts_search(game.new_initial_state())
    return count / (time.perf_counter() - begun)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: openspiel.py PATH-OF-ENDSPIEL")
    print(f"{'simulations a second':<20} {'endspiel':>12} {'openspiel':>12} {'ratio':>8}")
    for game, name, many, few in GAMES:
        rounds = [(ours(sys.argv[1], game, many), theirs(name, few)) for _ in range(5)]
        a, b = (statistics.median(side) for side in zip(*rounds))
        ratio = statistics.median(x / y for x, y in rounds)
        print(f"{game:<20} {a:>12,.0f} {b:>12,.0f} {ratio:>8.1f}", flush=True)


main()
