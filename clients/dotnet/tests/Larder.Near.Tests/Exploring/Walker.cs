namespace Larder.Near.Tests.Exploring;

/// <summary>
/// Walks through a model at random. This serves models that are too large to explore. A draw assigns a priority to every move, and stays valid for a few moves.
/// The walk always takes the possible move with the highest priority. So a message with a low priority can be delayed for several moves. If the priorities were
/// drawn again for each move, long delays would be very unlikely.
/// </summary>
internal static class Walker
{
    private const int MovesPerSample = 6;

    // In one of six draws, a rare move has a normal priority. In all other draws, its priority is so low that practically any other possible move is taken
    // instead.
    private const int RareIn = 6;

    /// <summary>Walks through a model. Returns the violation and the path to it, or null if no violation was found.</summary>
    /// <param name="model">The model.</param>
    /// <param name="draws">The random numbers. Each number determines the priorities for a few moves.</param>
    public static string? Walk<TState>(IModel<TState> model, IEnumerable<int> draws)
        where TState : unmanaged
    {
        Moves<TState> moves = new() { IsTold = true };
        List<string> way = [];
        TState state = model.Start;
        foreach (int draw in draws.SelectMany(static draw => Enumerable.Repeat(draw, MovesPerSample)))
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

    // A hash of the draw and the move's description: FNV-1a with the finalizer of xxHash32.
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
