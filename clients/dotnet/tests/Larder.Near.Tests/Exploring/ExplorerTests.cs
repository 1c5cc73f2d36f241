namespace Larder.Near.Tests.Exploring;

/// <summary>Tests the explorer on a model with two counters, which each count up to three. The states of this model can be counted by hand.</summary>
public sealed class ExplorerTests
{
    [Fact]
    public void Explorer_visits_every_state_once()
    {
        Exploration found = Explorer.Explore(new Counters(brokenAt: int.MaxValue), mostStates: 1_000);

        Assert.True(found.IsComplete);
        Assert.Null(found.Violation);
        Assert.Equal(16, found.States);
    }

    [Fact]
    public void Explorer_returns_a_shortest_path_to_a_violation()
    {
        Exploration found = Explorer.Explore(new Counters(brokenAt: 4), mostStates: 1_000);

        Assert.Equal("they are 4 together", found.Violation);
        Assert.Equal(4, found.Way.Count);
        Assert.False(found.IsComplete);
    }

    [Fact]
    public void Explorer_stops_at_its_state_limit()
    {
        Exploration found = Explorer.Explore(new Counters(brokenAt: int.MaxValue), mostStates: 10);

        Assert.False(found.IsComplete);
        Assert.Null(found.Violation);
        Assert.InRange(found.States, 10, 12);
    }

    private sealed class Counters(int brokenAt) : IModel<Eight<byte>>
    {
        public Eight<byte> Start => default;

        public void AddMoves(in Eight<byte> state, Moves<Eight<byte>> moves)
        {
            for (int counter = 0; counter < 2; counter++)
            {
                if (state[counter] < 3)
                {
                    Eight<byte> next = state;
                    next[counter]++;
                    if (next[0] + next[1] == brokenAt)
                    {
                        moves.Break($"they are {brokenAt} together");
                    }

                    moves.Add(next, $"counter {counter} goes up");
                }
            }
        }
    }
}
