using Larder.Tuner.Search;

namespace Larder.Tuner.Tests.Search;

public sealed class CapLadderTests
{
    [Theory]
    [InlineData(1, new[] { 1 })]
    [InlineData(2, new[] { 1, 2 })]
    [InlineData(13, new[] { 1, 2, 3, 5, 8, 13 })]
    [InlineData(15, new[] { 1, 2, 3, 5, 8, 13, 15 })]
    public void UpTo_returns_search_steps_and_ends_at_maximum(int most, int[] rungs) => Assert.Equal(rungs, CapLadder.UpTo(most));
}
