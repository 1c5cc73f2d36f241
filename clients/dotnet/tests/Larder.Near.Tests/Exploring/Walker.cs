namespace Larder.Near.Tests.Exploring;

/// <summary>
/// Walks at random, for worlds too large to be explored. What delays what is drawn anew every few moves, and stays until then: of the moves that are possible
/// the one with the highest number goes first, and the numbers are drawn by what the moves say. So a message can be late for long, which takes many equal
/// draws where each move is drawn for itself.
/// </summary>
internal static class Walker
{
    private const int MovesOfDraw = 6;

    // Of moves that seldom happen, one draw in six takes them as all others; in the rest they come last.
    private const int RareIn = 6;

    /// <summary>What a walk breaks, and how; null: nothing.</summary>
    /// <param name="model">Where it walks.</param>
    /// <param name="draws">What its moves are drawn by, each for a few.</param>
    public static string? Walk<TState>(IModel<TState> model, IEnumerable<int> draws)
        where TState : unmanaged
    {
        Moves<TState> moves = new() { IsTold = true };
        List<string> way = [];
        TState state = model.Start;
        foreach (int draw in draws.SelectMany(static draw => Enumerable.Repeat(draw, MovesOfDraw)))
        {
            moves.Clear();
            model.AddMoves(state, moves);
            if (moves.BrokenBy >= 0)
            {
                way.Add(moves.TextOf(moves.BrokenBy));
                return $"{moves.Broken}:\n{string.Join('\n', way)}";
            }

            if (moves.Count == 0)
            {
                return null;
            }

            int move = Enumerable.Range(0, moves.Count).MaxBy(move => NumberOf(moves, move, (uint)draw));
            way.Add(moves.TextOf(move));
            state = moves.States[move];
        }

        return null;
    }

    // A hash of what the move says (FNV-1a, and the end of xxHash32), by the draw.
    private static uint NumberOf<TState>(Moves<TState> moves, int move, uint draw)
        where TState : unmanaged
    {
        uint hash = draw;
        foreach (char letter in moves.TextOf(move))
        {
            hash = (hash ^ letter) * 16_777_619;
        }

        hash ^= hash >> 15;
        hash *= 2_246_822_519;
        hash ^= hash >> 13;
        return moves.IsRare(move) && hash % RareIn != 0 ? hash >> 16 : hash;
    }
}
