namespace Larder.Near.Tests.Exploring;

/// <summary>Visits every reachable state of a model, breadth first, so the first path to a violation is a shortest one.</summary>
internal static class Explorer
{
    /// <param name="model">The model to explore.</param>
    /// <param name="mostStates">The number of states after which the exploration stops.</param>
    public static Exploration Explore<TState>(IModel<TState> model, int mostStates)
        where TState : unmanaged
    {
        VisitedStates<TState> visited = new();
        Moves<TState> moves = new();
        List<TState> level = [model.Start];
        List<TState> next = [];
        visited.TryAdd(level[0], parent: -1, move: 0);
        for (int firstOfLevel = 0; level.Count > 0;)
        {
            int firstOfNext = visited.Count;
            for (int i = 0; i < level.Count; i++)
            {
                moves.Clear();
                model.AddMoves(level[i], moves);
                if (moves.BrokenBy >= 0)
                {
                    List<int> way = visited.PathTo(firstOfLevel + i);
                    way.Add(moves.BrokenBy);
                    return new Exploration(visited.Count, IsComplete: false, moves.Broken, Tell(model, way));
                }

                ReadOnlySpan<TState> states = moves.States;
                for (int move = 0; move < states.Length; move++)
                {
                    if (visited.TryAdd(states[move], firstOfLevel + i, move))
                    {
                        next.Add(states[move]);
                    }
                }

                if (visited.Count >= mostStates)
                {
                    return new Exploration(visited.Count, IsComplete: false, Violation: null, []);
                }
            }

            (level, next) = (next, level);
            next.Clear();
            firstOfLevel = firstOfNext;
        }

        return new Exploration(visited.Count, IsComplete: true, Violation: null, []);
    }

    // Replays a path and returns the descriptions of its moves.
    private static List<string> Tell<TState>(IModel<TState> model, List<int> way)
        where TState : unmanaged
    {
        Moves<TState> moves = new() { IsTold = true };
        List<string> told = [];
        TState state = model.Start;
        foreach (int move in way)
        {
            moves.Clear();
            model.AddMoves(state, moves);
            told.Add(moves.TextOf(move));
            state = moves.States[move];
        }

        return told;
    }
}
